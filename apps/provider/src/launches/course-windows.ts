import { type BodyOwner, clientAddress } from '@registrar/bootstrap';
import { GoneException, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { WindowAccess } from '../access-rules.ts';
import { ContentOrigins } from '../origins/content-origins.ts';
import { type LaunchSession, LaunchSessions } from './launch-sessions.ts';
import { readWindowCookie } from './window-cookie.ts';

/** The course window has ended: its time is over, or its registration was deleted. */
export class WindowEnded extends GoneException {
  constructor() {
    super('This course window has ended.');
  }
}

/** The course windows that requests come from. */
@Injectable()
export class CourseWindows {
  /** Those that were looked up before the bodies of their requests were read. */
  readonly #sessions = new WeakMap<FastifyRequest, LaunchSession>();

  constructor(
    private readonly sessions: LaunchSessions,
    @Inject(ContentOrigins) private readonly origins: ContentOrigins,
  ) {}

  /** The access of a request below `play/:token`. */
  accessOf({ params, headers, ip }: FastifyRequest): WindowAccess {
    const { token } = params as { readonly token: string };
    return {
      token,
      host: this.origins.parse(headers.host),
      cookie: readWindowCookie(headers.cookie),
      address: clientAddress(ip) ?? null,
    };
  }

  /** @throws {WindowEnded} */
  async require(request: FastifyRequest): Promise<LaunchSession> {
    const session =
      this.#sessions.get(request) ?? (await this.sessions.find(this.accessOf(request)));
    if (!session) throw new WindowEnded();
    this.#sessions.set(request, session);
    return session;
  }

  /**
   * Checks the window of a request before its body is read.
   *
   * @throws {WindowEnded}
   */
  async checkWindow(request: FastifyRequest): Promise<BodyOwner> {
    const { id, application } = await this.require(request);
    return { realmId: application, key: `window ${id}` };
  }
}
