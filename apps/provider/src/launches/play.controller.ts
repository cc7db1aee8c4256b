import {
  Body,
  Controller,
  ForbiddenException,
  Get,
  GoneException,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { WindowAccess } from '../access-rules.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { ContentOrigins } from '../origins/content-origins.ts';
import { contentType } from '../packages/content-type.ts';
import { ReadPackageFile } from '../packages/read-package-file.ts';
import { byteRange } from './byte-range.ts';
import { type CourseDescription, DescribeCourse } from './describe-course.ts';
import { ExitCourse } from './exit-course.ts';
import { FindContent } from './find-content.ts';
import { type LaunchSession, LaunchSessions } from './launch-sessions.ts';
import { noticePage } from './notice-page.ts';
import { OpenActivity, type OpenedActivity } from './open-activity.ts';
import { originHeaders, pageHeaders } from './page-headers.ts';
import { sendPlayerPage } from './player-files.ts';
import type { Standings } from './roll-up-registration.ts';
import { type ActivityReport, activityReport, SaveActivityReport } from './save-activity-report.ts';

const openingBody = z.object({ activityId: z.string().max(4096) });

/** A file belongs to one version of a course and never changes. */
const contentHeaders = {
  ...originHeaders,
  'accept-ranges': 'bytes',
  'cache-control': 'private, max-age=3600',
  'referrer-policy': 'same-origin',
};

/**
 * A course window: its page, its content and its reports. The token in the URL, which only that
 * window has, grants access at the origin of the launch.
 */
@Controller('play/:token')
export class PlayController {
  constructor(
    private readonly sessions: LaunchSessions,
    private readonly describeCourse: DescribeCourse,
    private readonly openActivity: OpenActivity,
    private readonly saveActivityReport: SaveActivityReport,
    private readonly exitCourse: ExitCourse,
    private readonly findContent: FindContent,
    private readonly readPackageFile: ReadPackageFile,
    @Inject(ContentOrigins) private readonly origins: ContentOrigins,
  ) {}

  @Get('index.html')
  async page(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const access = this.access(token, request);
    const session = await this.sessions.find(access);
    void reply.headers(pageHeaders);
    if (session) return sendPlayerPage(reply);
    const redirectUrl = await this.sessions.findRedirectUrl(access);
    const { status, html } = noticePage('ended', '../..', redirectUrl);
    void reply.status(status).type('text/html; charset=utf-8').send(html);
  }

  @Get('course')
  async course(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
  ): Promise<CourseDescription> {
    return this.describeCourse.describe(await this.session(token, request));
  }

  @Post('openings')
  @HttpCode(200)
  async open(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Body(new SchemaPipe(openingBody)) { activityId }: z.output<typeof openingBody>,
  ): Promise<OpenedActivity> {
    return this.openActivity.open(await this.session(token, request), activityId);
  }

  @Post('reports')
  @HttpCode(200)
  async report(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Body(new SchemaPipe(activityReport)) report: ActivityReport,
  ): Promise<Standings> {
    return this.saveActivityReport.save(await this.session(token, request), report);
  }

  /** Ends the course window. The response says where the browser goes. */
  @Post('exit')
  @HttpCode(200)
  async exit(@Param('token') token: string, @Req() request: FastifyRequest) {
    return this.exitCourse.exit(await this.session(token, request));
  }

  /**
   * Serves a file of the package, but no service worker: it would answer requests of later windows
   * where launches share an origin.
   */
  @Get('content/*')
  async content(
    @Param('token') token: string,
    @Param('*') path: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (request.headers['service-worker'] !== undefined) {
      throw new ForbiddenException('Content cannot register a service worker.');
    }
    const file = await this.findContent.find(this.access(token, request), path);
    if (!file) throw new NotFoundException('The course has no such file.');
    const range = byteRange(request.headers.range, file.size);
    void reply.headers(contentHeaders);
    if (range === 'unsatisfiable') {
      void reply.status(416).header('content-range', `bytes */${file.size}`).send();
      return;
    }
    const { first, last } = range ?? { first: 0, last: file.size - 1 };
    if (range) {
      void reply.status(206).header('content-range', `bytes ${first}-${last}/${file.size}`);
    }
    void reply
      .header('content-type', contentType(path))
      .header('content-length', last - first + 1)
      .send(this.readPackageFile.stream(file, first, last));
  }

  private access(token: string, { headers }: FastifyRequest): WindowAccess {
    return { token, host: this.origins.parse(headers.host) };
  }

  private async session(token: string, request: FastifyRequest): Promise<LaunchSession> {
    const session = await this.sessions.find(this.access(token, request));
    if (!session) throw new GoneException('This course window has ended.');
    return session;
  }
}
