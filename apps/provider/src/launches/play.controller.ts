import { Body, Controller, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { chooseLanguage } from '../languages/languages.ts';
import { ContentOrigins } from '../origins/content-origins.ts';
import { CourseWindows } from './course-windows.ts';
import { DescribeCourse } from './describe-course.ts';
import { ExitCourse } from './exit-course.ts';
import { type LaunchSession, LaunchSessions } from './launch-sessions.ts';
import { sendNotice } from './notice-page.ts';
import {
  type NavigationBody,
  navigationBody,
  type Navigated,
  NavigateCourse,
} from './navigate-course.ts';
import { type PlayerPage, sendPlayerPage } from './player-page.ts';
import {
  type ActivityReport,
  activityReport,
  type SavedReport,
  SaveActivityReport,
} from './save-activity-report.ts';
import { windowCookieHeader } from './window-cookie.ts';

/**
 * A course window: its page and its reports. The token in the URL, which only that window has, grants access at the
 * origin of the registration.
 */
@Controller('play/:token')
export class PlayController {
  constructor(
    private readonly windows: CourseWindows,
    private readonly sessions: LaunchSessions,
    private readonly describeCourse: DescribeCourse,
    private readonly navigateCourse: NavigateCourse,
    private readonly saveActivityReport: SaveActivityReport,
    private readonly exitCourse: ExitCourse,
    @Inject(ContentOrigins) private readonly origins: ContentOrigins,
  ) {}

  @Get('index.html')
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const access = this.windows.accessOf(request);
    const { session, cookie } = await this.sessions.load(access);
    if (cookie !== null) {
      void reply.header('set-cookie', windowCookieHeader(cookie, this.origins.areSecure));
    }
    const page = session?.settings.launch.type === 'FRAMESET' ? 'player' : 'opener';
    await this.send(request, reply, session, page);
  }

  /** The player in the window that the page has opened for it (`PlayerLaunchType`). */
  @Get('player.html')
  async player(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const session = await this.sessions.find(this.windows.accessOf(request));
    await this.send(request, reply, session, 'player');
  }

  /** Sends a page of the window, or the notice that it has ended. */
  private async send(
    request: FastifyRequest,
    reply: FastifyReply,
    session: LaunchSession | null,
    page: PlayerPage,
  ): Promise<void> {
    if (session) {
      const language = chooseLanguage(session.culture, request);
      return sendPlayerPage(reply, page, language, session.cssUrl);
    }
    const ended = await this.sessions.findEnded(this.windows.accessOf(request));
    sendNotice(reply, 'ended', {
      root: '../..',
      language: chooseLanguage(ended?.culture ?? null, request),
      redirectUrl: ended?.redirectUrl ?? null,
    });
  }

  @Get('course')
  async course(@Req() request: FastifyRequest) {
    return this.describeCourse.describe(await this.windows.require(request));
  }

  @Post('navigation')
  @HttpCode(200)
  async navigate(
    @Req() request: FastifyRequest,
    @Body(new SchemaPipe(navigationBody)) body: NavigationBody,
  ): Promise<Navigated> {
    return this.navigateCourse.navigate(await this.windows.require(request), body);
  }

  @Post('reports')
  @HttpCode(200)
  async report(
    @Req() request: FastifyRequest,
    @Body(new SchemaPipe(activityReport)) report: ActivityReport,
  ): Promise<SavedReport> {
    return this.saveActivityReport.save(await this.windows.require(request), report);
  }

  /** Ends the course window. The response says where the browser goes. */
  @Post('exit')
  @HttpCode(200)
  async exit(@Req() request: FastifyRequest) {
    return this.exitCourse.exit(await this.windows.require(request));
  }
}
