import { clientAddress } from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';
import { appLogger, type Logger } from '@registrar/platform';
import { Body, Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ConsoleAddress } from '../http/console-address.ts';
import { Cookies } from '../http/cookies.ts';
import { CurrentSession } from '../sessions/current-session.ts';
import { operatorRoles } from '../sessions/roles.ts';
import { type SignedInUser, Sessions } from '../sessions/sessions.ts';
import { IdentityProvider } from './identity-provider.ts';
import { returnPath } from './return-path.ts';
import { SealedCookie, signInSeconds } from './sealed-cookie.ts';
import { SignInFailed } from './sign-in-problem.ts';
import { SignInLinks } from './sign-in-links.ts';

const linkBody = z.object({ token: z.string().max(200) });

/** Who uses a link: the operator of the installation, as whom `npm start` and the command print links. */
const linkUser: SignedInUser = { account: 'link', name: 'operator', roles: operatorRoles };

/** Signs people in and out. */
@Controller()
export class SignInController {
  constructor(
    @Inject(appLogger) private readonly logger: Logger,
    private readonly address: ConsoleAddress,
    private readonly cookies: Cookies,
    private readonly links: SignInLinks,
    private readonly provider: IdentityProvider,
    private readonly sealed: SealedCookie,
    private readonly current: CurrentSession,
    private readonly sessions: Sessions,
  ) {}

  /** How people can sign in here. */
  @Get('api/sign-in')
  ways(): { readonly openid: boolean } {
    return { openid: this.provider.isConfigured };
  }

  @Get('sign-in/openid')
  async begin(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query('return') given: unknown,
  ): Promise<void> {
    await this.#sendingBack(request, reply, async () => {
      const { url, transaction } = await this.provider.begin(returnPath(given));
      const sealed = await this.sealed.seal(transaction);
      this.cookies.write(reply, 'registrar_console_sign_in', sealed, signInSeconds);
      return url;
    });
  }

  @Get('sign-in/callback')
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.#sendingBack(request, reply, async () => {
      const cookie = this.cookies.read(request, 'registrar_console_sign_in');
      const transaction = cookie === undefined ? null : await this.sealed.open(cookie);
      this.cookies.remove(reply, 'registrar_console_sign_in');
      if (!transaction)
        throw new SignInFailed('expired', 'this browser has no sign-in in progress');
      const query = new URL(request.url, 'http://console.invalid').search;
      const user = await this.provider.finish(query, transaction);
      await this.#begin(user, request, reply);
      return this.address.urlOf(returnPath(transaction.returnPath));
    });
  }

  /** Signs in by a one-time link, whose token the page has from its fragment. */
  @Post('api/sign-in/link')
  @HttpCode(200)
  async redeem(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ): Promise<object> {
    const { token } = parsed(linkBody, body);
    if (!(await this.links.redeem(token))) {
      throw new Failure('not-found', 'the link was used before, or is older than 15 minutes');
    }
    await this.#begin(linkUser, request, reply);
    return {};
  }

  @Post('api/sign-out')
  @HttpCode(200)
  async signOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    await this.sessions.end(this.current.tokenOf(request));
    this.cookies.remove(reply, 'registrar_console');
    return {};
  }

  /** Ends all sessions of the user. */
  @Post('api/sign-out-everywhere')
  @HttpCode(200)
  async signOutEverywhere(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const { account } = await this.current.require(request);
    await this.sessions.endAll(account);
    this.cookies.remove(reply, 'registrar_console');
    return {};
  }

  /** Replaces the session that the browser may have, so that nobody else knows the token of the new one. */
  async #begin(user: SignedInUser, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.sessions.end(this.current.tokenOf(request));
    this.cookies.write(reply, 'registrar_console', await this.sessions.begin(user));
    const line = { user: user.name, client_address: clientAddress(request.ip) };
    this.logger.info({ ...line, request_id: request.id }, 'a user signed in to the console');
  }

  /** Sends the browser on, or to the sign-in page with the reason that a sign-in failed. */
  async #sendingBack(
    { id }: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<string>,
  ): Promise<void> {
    let target: string;
    try {
      target = await work();
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      const { problem, message: reason } = error;
      this.logger.warn({ request_id: id, problem, reason }, 'a sign-in to the console failed');
      const query = new URLSearchParams({ problem, request: id });
      target = this.address.urlOf(`/sign-in?${query.toString()}`);
    }
    await reply.header('cache-control', 'no-store').redirect(target, 302);
  }
}

/** @throws {Failure} `invalid` */
function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data } = schema.safeParse(value);
  if (!success) throw new Failure('invalid', 'the body is malformed');
  return data;
}
