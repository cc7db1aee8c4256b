import {
  Body,
  Controller,
  Get,
  GoneException,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { parse } from '../http/parse.ts';
import { contentType } from '../packages/content-type.ts';
import { ReadFile } from '../packages/read-file.ts';
import { byteRange } from './byte-range.ts';
import { type CourseDescription, DescribeCourse } from './describe-course.ts';
import { FindContent } from './find-content.ts';
import { type LaunchSession, LaunchSessions } from './launch-session.ts';
import { noticePage } from './notice-page.ts';
import { OpenActivity, type OpenedActivity } from './open-activity.ts';
import { pageHeaders } from './page-headers.ts';
import { PlayerFiles } from './player-files.ts';
import { activityReport, ReportActivity } from './report-activity.ts';
import type { Standings } from './update-registration.ts';

const opening = z.object({ activityId: z.string().max(4096) });

/** A file belongs to one version of a course and never changes. */
const contentHeaders = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, max-age=3600',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * A course that is open in a browser window: its page, its content, and what they report. The
 * token in the address, which only that window knows, is what lets a request in.
 */
@Controller('play/:token')
export class PlayController {
  constructor(
    private readonly sessions: LaunchSessions,
    private readonly files: PlayerFiles,
    private readonly describeCourse: DescribeCourse,
    private readonly openActivity: OpenActivity,
    private readonly reportActivity: ReportActivity,
    private readonly findContent: FindContent,
    private readonly readFile: ReadFile,
  ) {}

  @Get('index.html')
  async page(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const session = await this.sessions.find(token);
    const player = this.files.find('player.html');
    const { status, html } = session
      ? { status: 200, html: player?.body }
      : noticePage('expired', '../..');
    void reply.status(status).headers(pageHeaders).type('text/html; charset=utf-8').send(html);
  }

  @Get('course')
  async course(@Param('token') token: string): Promise<CourseDescription> {
    return this.describeCourse.run(await this.session(token));
  }

  @Post('openings')
  @HttpCode(200)
  async open(@Param('token') token: string, @Body() body: unknown): Promise<OpenedActivity> {
    const { activityId } = parse(opening, body);
    return this.openActivity.run(await this.session(token), activityId);
  }

  @Post('reports')
  @HttpCode(200)
  async report(@Param('token') token: string, @Body() body: unknown): Promise<Standings> {
    const report = parse(activityReport, body);
    return this.reportActivity.run(await this.session(token), report);
  }

  /** Ends the window; the answer says where the learner goes from here. */
  @Post('exit')
  @HttpCode(200)
  async exit(@Param('token') token: string): Promise<{ redirectUrl: string | null }> {
    const { redirectUrl } = await this.session(token);
    await this.sessions.leave(token);
    return { redirectUrl };
  }

  @Get('content/*')
  async content(
    @Param('token') token: string,
    @Param('*') path: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = await this.findContent.run(token, path);
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
      .send(this.readFile.stream(file, first, last));
  }

  private async session(token: string): Promise<LaunchSession> {
    const session = await this.sessions.find(token);
    if (!session) throw new GoneException('This course window has ended.');
    return session;
  }
}
