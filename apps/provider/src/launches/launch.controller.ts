import { clientAddress } from '@registrar/bootstrap';
import { Controller, Get, Inject, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GuessingGuard } from '../http/guessing-guard.ts';
import { chooseLanguage } from '../languages/languages.ts';
import { ContentOrigins, type RequestedHost } from '../origins/content-origins.ts';
import { LaunchLinkKeys } from './launch-link-keys.ts';
import { type LaunchClaims, verifyLaunch } from './launch-link.ts';
import { LaunchSessions } from './launch-sessions.ts';
import { sendNotice } from './notice-page.ts';
import { pageHeaders } from './page-headers.ts';
import { sendPlayerFile } from './player-files.ts';

/** Launch links and the player's files, which need no login. */
@Controller()
export class LaunchController {
  constructor(
    private readonly keys: LaunchLinkKeys,
    private readonly sessions: LaunchSessions,
    private readonly guessing: GuessingGuard,
    @Inject(ContentOrigins) private readonly origins: ContentOrigins,
  ) {}

  /**
   * Opens a course and redirects to the URL of its window, which can be reloaded although the link
   * opens once. The redirect is relative, because a proxy may add a path prefix.
   */
  @Get('launch/:link')
  async launch(
    @Param('link') link: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const attempt = { mode: 'launch', credentials: link, account: null } as const;
    const claims = await this.guessing.check(attempt, request, () =>
      verifyLaunch(link, (kid) => this.keys.find(kid)),
    );
    const language = chooseLanguage(claims?.culture ?? null, request);
    const unknown = { root: '..', language, redirectUrl: null };
    if (claims === null) return sendNotice(reply, 'invalid', unknown);
    const known = { ...unknown, redirectUrl: claims.redirectUrl };
    if ('expired' in claims) return sendNotice(reply, 'expired', known);
    if (!isServedAt(this.origins.parse(request.headers.host), claims)) {
      return sendNotice(reply, 'invalid', unknown);
    }
    const window = await this.sessions.open(claims, clientAddress(request.ip) ?? null);
    if (typeof window === 'string') return sendNotice(reply, window, known);
    void reply.headers(pageHeaders).redirect(`../play/${window.token}/index.html`, 303);
  }

  @Get('player/:release/:name')
  playerFile(
    @Param('release') of: string,
    @Param('name') name: string,
    @Res() reply: FastifyReply,
  ): void {
    if (!sendPlayerFile(reply, { of, name })) {
      throw new NotFoundException('The player has no such file.');
    }
  }
}

/** Whether a launch is served at a host: at the origin of its label, or at the one that all share. */
const isServedAt = (host: RequestedHost, { label }: LaunchClaims): boolean =>
  host === 'shared' || (host !== 'api' && host.label === label);
