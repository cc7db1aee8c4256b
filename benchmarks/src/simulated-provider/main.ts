import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CallCounts } from './call-counts.ts';
import type { Command, Postback } from './control.ts';
import { type Behavior, chooseFault, promptBehavior } from './faults.ts';
import { decodeToken, encodeToken, type PageToken } from './page-token.ts';
import { Population, registrationOf } from './population.ts';

/**
 * A course provider with a generated population, as a process of its own: lists, single registrations and creates of
 * version 2 of the provider's API. `PROVIDER_SIZES` has the numbers of registrations of its applications,
 * whose ids are `scale-1` and so on. It accepts any secret key, and is controlled by messages.
 */

/** The hosted provider's number of registrations in a page. */
const pageSize = 100;

const population = new Population(
  JSON.parse(process.env['PROVIDER_SIZES'] ?? '[]') as number[],
  Date.now(),
);
const counts = new CallCounts();
/** By application; that of the empty text is of all others. */
const behaviors = new Map<string, Behavior>();
const behaviorOf = (appId: string): Behavior =>
  behaviors.get(appId) ?? behaviors.get('') ?? promptBehavior;

const server = createServer({ keepAlive: true }, (request, response) => {
  respond(request, response).catch((error: unknown) => {
    send(response, 400, JSON.stringify({ message: String(error) }));
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

process.on('message', ({ id, command }: { id: number; command: Command }) => {
  void Promise.resolve(perform(command)).then((result) => process.send?.({ id, result }));
});
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

function perform(command: Command): unknown {
  switch (command.kind) {
    case 'behave':
      behaviors.set(command.appId, { ...behaviorOf(command.appId), ...command.behavior });
      return null;
    case 'change':
      return population.change(command.step, Date.now() + behaviorOf('').clockSkewMs);
    case 'post':
      return postResult(command);
    case 'report':
      return counts.take();
  }
}

async function postResult({ application, number, ...receiver }: Postback): Promise<number> {
  population.changeOne({ application, number }, Date.now());
  const { url, userName, password } = receiver;
  const credentials = Buffer.from(`${userName}:${password}`).toString('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
    body: population.json({ application, number }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://provider');
  const [list = '', guid] = url.pathname.replace('/api/v2/', '').split('/');
  const appId = userOf(request.headers.authorization);
  const now = Date.now();
  const behavior = behaviorOf(appId);
  counts.count(appId, guid === undefined ? list : 'registration', now);
  if (behavior.latencyMs > 0) await pause(behavior.latencyMs);
  if (behavior.isSilent) return;
  if (isOverLimit(appId, behavior, now)) return throttle(response, behavior);
  const fault = chooseFault(behavior, Math.random());
  if (fault === 'error') return send(response, 500, '{"message":"It broke."}');
  const application = Number(/^scale-(\d+)$/.exec(appId)?.[1] ?? 0);
  if (request.method === 'POST') {
    request.resume();
    return send(response, 204, '');
  }
  const found = answerOf(application, list, guid, url.searchParams, now);
  if (found === null) return send(response, 404, '{"message":"Could not find it."}');
  if (fault === 'malformed') return send(response, 200, '<html>Sign in</html>');
  if (fault === 'truncated') return truncate(response, found.body);
  if (found.total !== null) response.setHeader('x-total-count', found.total);
  send(response, 200, found.body);
}

interface Page {
  readonly body: string;
  readonly total: number | null;
}

/** Returns the body of a response, and the number of items of a list; null if there is nothing of the name. */
function answerOf(
  application: number,
  list: string,
  guid: string | undefined,
  query: URLSearchParams,
  now: number,
): Page | null {
  if (list === 'registrations' && guid === undefined) return pageOf(application, query, now);
  const body = bodyOf(application, list, guid, now);
  return body === null ? null : { body, total: null };
}

function bodyOf(
  application: number,
  list: string,
  guid: string | undefined,
  now: number,
): string | null {
  if (list === 'ping')
    return `{"apiMessage":"pong","currentTime":"${new Date(now).toISOString()}"}`;
  if (list === 'courses') {
    return `{"courses":[{"id":"course-${application}","title":"Course ${application}","version":0}]}`;
  }
  if (list !== 'registrations' || guid === undefined) return null;
  const registration = registrationOf(decodeURIComponent(guid));
  const exists = registration && registration.number < population.sizeOf(registration.application);
  return exists ? population.json(registration) : null;
}

/** Returns a page of a list; with its number of items if the client asked for it. */
function pageOf(application: number, query: URLSearchParams, now: number): Page {
  const more = query.get('more');
  const { from, ...times } = more ? decodeToken(more) : { from: 0, ...timesOf(query, now) };
  const list = listOf(application, times, now);
  const end = Math.min(list.length, from + pageSize);
  const items: string[] = [];
  for (let place = from; place < end; place += 1) {
    items.push(population.json({ application, number: list.numberAt(place) }));
  }
  const token = end === list.length ? '' : `,"more":"${encodeToken({ from: end, ...times })}"`;
  const isCounted = !more && query.get('includeTotalCount') === 'true';
  return {
    body: `{"registrations":[${items.join()}]${token}}`,
    total: isCounted ? list.length : null,
  };
}

function timesOf(query: URLSearchParams, now: number): Omit<PageToken, 'from'> {
  const [since, until] = [query.get('since'), query.get('until')];
  return {
    byUpdated: query.get('datetimeFilter') === 'updated',
    since: since ? Date.parse(since) : 0,
    until: until ? Date.parse(until) : now + behaviorOf('').clockSkewMs,
  };
}

interface List {
  readonly length: number;
  numberAt(place: number): number;
}

function listOf(
  application: number,
  { byUpdated, since, until }: Omit<PageToken, 'from'>,
  now: number,
): List {
  if (byUpdated) {
    const { clockSkewMs, invisibleMs } = behaviorOf('');
    const visible = Math.min(until, now + clockSkewMs - invisibleMs);
    const changed = population.changedBetween(application, since, visible);
    return { length: changed.length, numberAt: (place) => changed[place]! };
  }
  const first = population.createdBefore(application, since);
  const end = population.createdBefore(application, until + 1);
  return { length: Math.max(0, end - first), numberAt: (place) => first + place };
}

/** The calls of each application in the current second of the limit. */
const seconds = new Map<string, { second: number; calls: number }>();
function isOverLimit(appId: string, { limitPerSecond }: Behavior, now: number): boolean {
  if (limitPerSecond === 0) return false;
  const second = Math.floor(now / 1_000);
  const last = seconds.get(appId);
  const calls = last?.second === second ? last.calls + 1 : 1;
  seconds.set(appId, { second, calls });
  return calls > limitPerSecond;
}

function throttle(response: ServerResponse, { retryAfter }: Behavior): void {
  if (retryAfter !== null) response.setHeader('retry-after', retryAfter);
  send(response, 429, '{"message":"Too many requests."}');
}

function truncate(response: ServerResponse, body: string): void {
  response.setHeader('content-length', Buffer.byteLength(body));
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}

function send(response: ServerResponse, status: number, body: string): void {
  response.setHeader('content-type', 'application/json');
  response.statusCode = status;
  response.end(body);
}

/** Returns the user of Basic authentication; an empty text without it. */
function userOf(authorization = ''): string {
  const [user = ''] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':');
  return user;
}
