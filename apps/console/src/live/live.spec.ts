import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stubReply } from '@registrar/bus/testing';
import { listCrawls } from '@registrar/contracts';
import { clock } from '@registrar/platform';
import { stepTime } from '@registrar/persistence/testing';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type ConsoleFixture, startConsoleFixture } from '../console.fixture.ts';
import { operatorRoles } from '../sessions/roles.ts';
import { liveBounds } from './live.controller.ts';

/** A stream as a page reads it, on a connection of its own: `fetch` would open another for each one that ends. */
class Stream {
  readonly #pieces: AsyncIterator<string>;
  #text = '';

  private constructor(private readonly response: IncomingMessage) {
    this.#pieces = response.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
  }

  static async open(url: string, headers: Record<string, string>): Promise<Stream> {
    const request = get(url, { agent: false, headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return new Stream(response);
  }

  get status(): number | undefined {
    return this.response.statusCode;
  }

  /** The next event; null at the end of the stream. */
  async next(): Promise<{ event: string; data: unknown } | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const [event = '', data = ''] = this.#text.slice(0, end).split('\n');
        this.#text = this.#text.slice(end + 2);
        return { event: event.slice(7), data: JSON.parse(data.slice(6)) };
      }
      const { value, done } = await this.#pieces.next();
      if (done) return null;
      this.#text += value;
    }
  }

  close(): void {
    this.response.destroy();
  }
}

describe('live streams', () => {
  let console: ConsoleFixture;
  let asked = 0;
  let late = 0;
  beforeAll(async () => {
    const crawls = stubReply(listCrawls, async () => {
      asked += 1;
      return { items: [crawl(late)], next: null };
    });
    console = await startConsoleFixture({ stubs: { crawler: [crawls] } });
  });
  afterAll(() => console.stop());

  const open = (cookie: { cookie: string }, watches: readonly string[], input = '{}') => {
    const query = watches.map((name) => `watch=${name}&input=${encodeURIComponent(input)}`);
    const headers = { ...cookie, 'sec-fetch-site': 'same-origin' };
    return Stream.open(`${console.base}/api/live?${query.join('&')}`, headers);
  };
  const statusOf = async (...given: Parameters<typeof open>) => {
    const stream = await open(...given);
    stream.close();
    return stream.status;
  };

  it('a stream sends a reply at once, and again only when it has changed', async () => {
    const cookie = await console.signIn(operatorRoles);
    const stream = await open(cookie, ['overview.crawls']);
    expect(await stream.next()).toMatchObject({
      event: 'message',
      data: { watch: 0, reply: { applications: 1, mostLateSeconds: 0 } },
    });
    const before = asked;
    clock.step(15_000);
    // The heartbeat comes in between, and the unchanged reply does not.
    expect(await stream.next()).toEqual({ event: 'heartbeat', data: {} });
    while (asked === before) await new Promise((resolve) => setImmediate(resolve));
    late = 90;
    while (asked === before + 1) {
      clock.step(15_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    let news = await stream.next();
    while (news?.event === 'heartbeat') news = await stream.next();
    expect(news).toMatchObject({ data: { reply: { mostLateSeconds: 90 } } });
    stream.close();
  });

  it('equal watches of several streams make one call, and the last to end ends it', async () => {
    const streams = [];
    const before = asked;
    for (const name of ['one', 'two']) {
      const cookie = await console.signIn(operatorRoles, name);
      const stream = await open(cookie, ['overview.crawls']);
      await stream.next();
      streams.push(stream);
    }
    expect(asked - before).toBeLessThanOrEqual(1);
    for (const stream of streams) stream.close();
  });

  it('a stream has 8 watches at most, of calls that can be watched and that the role reaches', async () => {
    const operator = await console.signIn(operatorRoles);
    const reader = await console.signIn({ operator: false, realms: { own: 'reader' } });
    const many = Array.from({ length: liveBounds.watches + 1 }, () => 'overview.apps');
    expect(await statusOf(operator, many)).toBe(400);
    expect(await statusOf(operator, many.slice(1))).toBe(200);
    expect(await statusOf(operator, ['session.show'])).toBe(400);
    expect(await statusOf(operator, ['unknown.call'])).toBe(404);
    expect(await statusOf(operator, ['overview.apps'], '{')).toBe(400);
    expect(await statusOf(operator, [])).toBe(400);
    expect(await statusOf(reader, ['overview.apps'])).toBe(403);
    expect(await statusOf({ cookie: '' }, ['overview.apps'])).toBe(401);
  });

  it('a session has 4 streams at most, and the console 64', async () => {
    const streams: Stream[] = [];
    for (
      let session = 0;
      session < liveBounds.streams / liveBounds.streamsOfSession;
      session += 1
    ) {
      const cookie = await console.signIn(operatorRoles, `streams ${session}`);
      for (let place = 0; place < liveBounds.streamsOfSession; place += 1) {
        streams.push(await open(cookie, ['overview.apps']));
      }
      expect(await statusOf(cookie, ['overview.apps'])).toBe(503);
    }
    const another = await console.signIn(operatorRoles, 'another');
    expect(await statusOf(another, ['overview.apps'])).toBe(503);
    for (const stream of streams) stream.close();
    let status: number | undefined = 503;
    while (status === 503) status = await statusOf(another, ['overview.apps']);
    expect(status).toBe(200);
  });

  it('a stream ends with its session, which it does not keep from ending', async () => {
    const cookie = await console.signIn(operatorRoles);
    const stream = await open(cookie, ['overview.apps']);
    expect(await stream.next()).toMatchObject({ event: 'message' });
    await stepTime(31 * 60, console.database);
    let news = await stream.next();
    while (news && news.event !== 'signed-out') news = await stream.next();
    expect(news).toEqual({ event: 'signed-out', data: {} });
    expect(await stream.next()).toBeNull();
  });
});

const crawl = (lateSeconds: number) => ({
  application: 1,
  state: 'due' as const,
  late_seconds: lateSeconds,
  changes_at: null,
  running: null,
  items: null,
  expected: null,
  windows: null,
  running_since: null,
  failures: 0,
  backing_off_until: null,
  configuration: { limit: null, rate: null, interval: null, type: null, paused: false },
  registrations: 'done' as const,
  registrations_at: null,
  courses: 'done' as const,
  courses_at: null,
  rate: 1,
  error: null,
});
