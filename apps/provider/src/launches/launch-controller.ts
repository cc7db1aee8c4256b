import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { verifyLaunch } from './launch-link.ts';
import { LaunchSessions } from './launch-session.ts';
import { type Notice, noticePage } from './notice-page.ts';
import { pageHeaders } from './page-headers.ts';
import { PlayerFiles } from './player-files.ts';
import { SigningKey } from './signing-key.ts';

/** What anyone may ask for without a login: launch links, and the player's own files. */
@Controller()
export class LaunchController {
  constructor(
    private readonly signingKey: SigningKey,
    private readonly sessions: LaunchSessions,
    private readonly files: PlayerFiles,
  ) {}

  /**
   * Opens a course. The window goes on at an address of its own, which holds when it is loaded
   * again after the link has expired. The way there is relative: a proxy may put a prefix before.
   */
  @Get('launch/:link')
  async launch(@Param('link') link: string, @Res() reply: FastifyReply): Promise<void> {
    const claims = await verifyLaunch(link, await this.signingKey.get());
    if (claims === 'expired') return sendNotice(reply, 'expired');
    if (claims === 'invalid') return sendNotice(reply, 'refused');
    const token = await this.sessions.open(claims);
    if (token === null) return sendNotice(reply, 'expired');
    void reply.headers(pageHeaders).redirect(`../play/${token}/index.html`, 303);
  }

  @Get('player/:name')
  playerFile(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const file = this.files.find(name);
    if (!file) throw new NotFoundException('The player has no such file.');
    // Asked for anew each time, so that no page meets the files of another release.
    void reply.headers({
      'cache-control': 'no-cache',
      etag: file.etag,
      'x-content-type-options': 'nosniff',
    });
    if (request.headers['if-none-match'] === file.etag) void reply.status(304).send();
    else void reply.type(file.type).send(file.body);
  }
}

function sendNotice(reply: FastifyReply, notice: Notice): void {
  const { status, html } = noticePage(notice, '..');
  void reply.status(status).headers(pageHeaders).type('text/html; charset=utf-8').send(html);
}
