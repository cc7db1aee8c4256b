import { Failure } from '@registrar/contracts';
import { clock, Counts } from '@registrar/platform';
import { type BeforeApplicationShutdown, Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { MakeCall } from '../calls/make-call.ts';
import { openStream } from '../http/open-stream.ts';
import { ConsoleMetrics } from '../metrics/console-metrics.ts';
import { CurrentSession } from '../sessions/current-session.ts';
import { type Session, Sessions } from '../sessions/sessions.ts';
import { LiveWatches } from './live-watches.ts';

/** The most watches of a stream, streams of a session, and streams of all. */
export const liveBounds = { watches: 8, streamsOfSession: 4, streams: 64 } as const;

/** The time between two heartbeats, at which the session is looked up too: milliseconds. */
const heartbeatMs = 15_000;

/** The bytes that a slow client may leave unread before its stream ends. */
const maxUnread = 1024 * 1024;

const list = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const liveQuery = z.object({ watch: list, input: list });

/**
 * Streams the replies of calls as server-sent events (HTML Living Standard, section 9.2):
 *
 * - `message`: `{ watch, reply }` or `{ watch, failure }`, with the place of the watch in the query
 * - `heartbeat`: everything that was sent is still true
 * - `signed-out`: the session has ended, and so does the stream
 */
@Controller('api/live')
export class LiveController implements BeforeApplicationShutdown {
  readonly #streams = new Counts<string>();
  readonly #open = new Set<() => void>();

  constructor(
    private readonly current: CurrentSession,
    private readonly sessions: Sessions,
    private readonly makeCall: MakeCall,
    private readonly watches: LiveWatches,
    private readonly metrics: ConsoleMetrics,
  ) {}

  @Get()
  async stream(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: unknown,
  ): Promise<void> {
    const session = await this.current.require(request, 'watched');
    const checked = this.#checked(query, session);
    const holder = session.tokenHash.toString('base64');
    this.#requirePlace(holder);
    const raw = openStream(reply, 'text/event-stream; charset=utf-8');
    this.#streams.add(holder, 1);
    this.metrics.liveStreams.inc();
    const stops: (() => void)[] = [];
    const end = () => {
      if (!this.#open.delete(end)) return;
      this.#streams.add(holder, -1);
      this.metrics.liveStreams.dec();
      for (const stop of stops) stop();
      raw.end();
    };
    this.#open.add(end);
    raw.once('close', end);
    const send = (event: string, data: string) => {
      if (raw.writableLength > maxUnread) raw.destroy();
      else raw.write(`event: ${event}\ndata: ${data}\n\n`);
    };
    const beat = async () => {
      const found = await this.sessions
        .find(this.current.tokenOf(request), 'watched')
        .catch(() => session);
      if (!this.#open.has(end)) return;
      if (found) {
        send('heartbeat', '{}');
        stops[0] = clock.schedule(heartbeatMs, () => void beat());
        return;
      }
      send('signed-out', '{}');
      end();
    };
    stops.push(clock.schedule(heartbeatMs, () => void beat()));
    for (const [place, each] of checked.entries()) {
      const listener = (news: string) => send('message', `{"watch":${place},${news.slice(1)}`);
      stops.push(this.watches.watch(each, session, listener));
    }
  }

  beforeApplicationShutdown(): void {
    for (const end of this.#open) end();
  }

  /** @throws {Failure} `invalid`, and as `MakeCall.check` does */
  #checked(query: unknown, session: Session) {
    const { data } = liveQuery.safeParse(query);
    if (!data || data.watch.length !== data.input.length) {
      throw new Failure('invalid', 'a stream has as many inputs as watches, and at least one');
    }
    if (data.watch.length > liveBounds.watches) {
      throw new Failure('invalid', `a stream has ${liveBounds.watches} watches at most`);
    }
    return data.watch.map((name, place) => {
      const checked = this.makeCall.check(name, parseJson(data.input[place]!), session);
      if (checked.call.live === undefined || checked.call.changes) {
        throw new Failure('invalid', `${name} cannot be watched`);
      }
      return checked;
    });
  }

  /** @throws {Failure} `over-limit`, `overloaded` */
  #requirePlace(session: string): void {
    const options = { retryAfterSeconds: 5 };
    if (this.#streams.of(session) >= liveBounds.streamsOfSession) {
      const reason = `a session has ${liveBounds.streamsOfSession} streams at most`;
      throw new Failure('over-limit', reason, undefined, options);
    }
    if (this.#streams.total >= liveBounds.streams) {
      throw new Failure('overloaded', 'the console has too many streams', undefined, options);
    }
  }
}

/** @throws {Failure} `invalid` */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('invalid', 'an input is not valid JSON');
  }
}
