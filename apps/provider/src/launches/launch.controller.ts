import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LaunchLinkKey } from './launch-link-key.ts';
import { verifyLaunch } from './launch-link.ts';
import { LaunchSessions } from './launch-sessions.ts';
import { type Notice, noticePage } from './notice-page.ts';
import { pageHeaders } from './page-headers.ts';
import { sendPlayerFile } from './player-files.ts';

/** Launch links and the player's files, which need no login. */
@Controller()
export class LaunchController {
  constructor(
    private readonly key: LaunchLinkKey,
    private readonly sessions: LaunchSessions,
  ) {}

  /**
   * Opens a course and redirects to the URL of its window, which can be reloaded after the link has
   * expired. The redirect is relative, because a proxy may add a path prefix.
   */
  @Get('launch/:link')
  async launch(@Param('link') link: string, @Res() reply: FastifyReply): Promise<void> {
    const claims = await verifyLaunch(link, await this.key.get());
    if (claims === 'invalid') return sendNotice(reply, 'invalid', null);
    const { redirectUrl } = claims;
    if ('expired' in claims) return sendNotice(reply, 'expired', redirectUrl);
    const token = await this.sessions.open(claims);
    if (token === null) return sendNotice(reply, 'expired', redirectUrl);
    void reply.headers(pageHeaders).redirect(`../play/${token}/index.html`, 303);
  }

  @Get('player/:name')
  playerFile(@Param('name') name: string, @Res() reply: FastifyReply): void {
    if (!sendPlayerFile(reply, name)) throw new NotFoundException('The player has no such file.');
  }
}

function sendNotice(reply: FastifyReply, notice: Notice, redirectUrl: string | null): void {
  const { status, html } = noticePage(notice, '..', redirectUrl);
  void reply.status(status).headers(pageHeaders).type('text/html; charset=utf-8').send(html);
}
