import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { chooseLanguage } from '../languages/languages.ts';
import { CourseWindows } from './course-windows.ts';
import { DescribeCourse } from './describe-course.ts';
import { ExitCourse } from './exit-course.ts';
import { LaunchSessions } from './launch-sessions.ts';
import { sendNotice } from './notice-page.ts';
import {
  type NavigationBody,
  navigationBody,
  type Navigated,
  NavigateCourse,
} from './navigate-course.ts';
import { sendPlayerPage } from './player-page.ts';
import {
  type ActivityReport,
  activityReport,
  type SavedReport,
  SaveActivityReport,
} from './save-activity-report.ts';

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
  ) {}

  @Get('index.html')
  async page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const access = this.windows.accessOf(request);
    const session = await this.sessions.find(access);
    if (session) {
      const language = chooseLanguage(session.culture, request);
      return sendPlayerPage(reply, language, session.cssUrl);
    }
    const ended = await this.sessions.findEnded(access);
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
