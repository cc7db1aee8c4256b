import { Failure } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Cookies } from '../http/cookies.ts';
import { type Session, Sessions } from './sessions.ts';
import { hashToken } from './tokens.ts';

/** The request has no session, or one that has ended. */
export class SignedOut extends Failure {
  constructor() {
    super('unauthenticated', 'nobody is signed in, or the session has ended');
  }
}

/** Finds the session of a request, once for each request. */
@Injectable()
export class CurrentSession {
  readonly #found = new WeakMap<FastifyRequest, Promise<Session | null>>();

  constructor(
    private readonly sessions: Sessions,
    private readonly cookies: Cookies,
  ) {}

  tokenOf(request: FastifyRequest): string {
    return this.cookies.read(request, 'registrar_console') ?? '';
  }

  /** What the limits of a request's session count it under, whether the session exists or not; null without a token. */
  holderOf(request: FastifyRequest): string | null {
    return hashToken(this.tokenOf(request))?.toString('base64') ?? null;
  }

  /** The session of a request; null without one. */
  find(request: FastifyRequest, use: 'used' | 'watched' = 'used'): Promise<Session | null> {
    let found = this.#found.get(request);
    if (!found) {
      found = this.sessions.find(this.tokenOf(request), use);
      this.#found.set(request, found);
    }
    return found;
  }

  /** @throws {SignedOut} */
  async require(request: FastifyRequest, use?: 'used' | 'watched'): Promise<Session> {
    const session = await this.find(request, use);
    if (!session) throw new SignedOut();
    return session;
  }
}
