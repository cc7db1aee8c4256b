import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CallCounts } from './call-counts.ts';
import type { Command } from './control.ts';
import { type Behaviour, chooseFault, promptBehaviour } from './faults.ts';
import { decodeToken, encodeToken } from './page-token.ts';
import { Population, registrationOf } from './population.ts';

/**
 * A course provider with a generated population, as a process of its own: lists and single registrations of
 * version 2 of the provider's API. `PROVIDER_SIZES` has the numbers of registrations of its applications,
 * whose ids are `scale-1` and so on. It accepts any secret key, and is controlled by messages.
 */

/** The hosted provider's number of registrations in a page. */
const pageSize = 100;

const population = new Population(JSON.parse(process.env['PROVIDER_SIZES'] ?? '[]') as number[]);
const counts = new CallCounts();
let behaviour: Behaviour = promptBehaviour;

const server = createServer({ keepAlive: true }, (request, response) => {
  respond(request, response).catch((error: unknown) => {
    send(response, 400, JSON.stringify({ message: String(error) }));
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

process.on('message', ({ id, command }: { id: number; command: Command }) => {
  process.send?.({ id, result: perform(command) });
});
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

function perform(command: Command): unknown {
  switch (command.kind) {
    case 'behave':
      behaviour = { ...behaviour, ...command.behaviour };
      return null;
    case 'change':
      return population.change(command.step, Date.now() + behaviour.clockSkewMs);
    case 'report':
      return counts.take();
  }
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://provider');
  const [list = '', guid] = url.pathname.replace('/api/v2/', '').split('/');
  const appId = userOf(request.headers.authorization);
  const now = Date.now();
  counts.count(appId, guid === undefined ? list : 'registration', now);
  if (behaviour.latencyMs > 0) await pause(behaviour.latencyMs);
  if (isOverLimit(appId, now)) return throttle(response);
  const fault = chooseFault(behaviour, Math.random());
  if (fault === 'error') return send(response, 500, '{"message":"It broke."}');
  const application = Number(/^scale-(\d+)$/.exec(appId)?.[1] ?? 0);
  const found = bodyOf(application, list, guid, url.searchParams, now);
  if (found === null) return send(response, 404, '{"message":"Could not find it."}');
  if (fault === 'malformed') return send(response, 200, '<html>Sign in</html>');
  if (fault === 'truncated') return truncate(response, found);
  send(response, 200, found);
}

/** Returns the body of a response; null if there is nothing of the name. */
function bodyOf(
  application: number,
  list: string,
  guid: string | undefined,
  query: URLSearchParams,
  now: number,
): string | null {
  if (list === 'ping')
    return `{"apiMessage":"pong","currentTime":"${new Date(now).toISOString()}"}`;
  if (list === 'courses') {
    return `{"courses":[{"id":"course-${application}","title":"Course ${application}","version":0}]}`;
  }
  if (list !== 'registrations') return null;
  if (guid === undefined) return pageOf(application, query, now);
  const registration = registrationOf(decodeURIComponent(guid));
  const exists = registration && registration.number < population.sizeOf(registration.application);
  return exists ? population.json(registration) : null;
}

function pageOf(application: number, query: URLSearchParams, now: number): string {
  const more = query.get('more');
  const updatedSince = query.get('datetimeFilter') === 'updated' ? query.get('since') : null;
  const { from, since } = more
    ? decodeToken(more)
    : { from: 0, since: updatedSince ? Date.parse(updatedSince) : null };
  const visible = since === null ? null : visibleChanges(application, since, now);
  const end = Math.min(visible?.length ?? population.sizeOf(application), from + pageSize);
  const items: string[] = [];
  for (let place = from; place < end; place += 1) {
    items.push(population.json({ application, number: visible ? visible[place]! : place }));
  }
  const isLast = end === (visible?.length ?? population.sizeOf(application));
  const token = isLast ? '' : `,"more":"${encodeToken({ from: end, since })}"`;
  return `{"registrations":[${items.join()}]${token}}`;
}

function visibleChanges(application: number, since: number, now: number): number[] {
  const changed = population.changedSince(application, since);
  if (behaviour.invisibleMs === 0) return changed;
  const invisible = new Set(
    population.changedSince(application, now + behaviour.clockSkewMs - behaviour.invisibleMs),
  );
  return changed.filter((number) => !invisible.has(number));
}

/** The calls of each application in the current second of the limit. */
const seconds = new Map<string, { second: number; calls: number }>();
function isOverLimit(appId: string, now: number): boolean {
  if (behaviour.limitPerSecond === 0) return false;
  const second = Math.floor(now / 1_000);
  const last = seconds.get(appId);
  const calls = last?.second === second ? last.calls + 1 : 1;
  seconds.set(appId, { second, calls });
  return calls > behaviour.limitPerSecond;
}

function throttle(response: ServerResponse): void {
  if (behaviour.retryAfter !== null) response.setHeader('retry-after', behaviour.retryAfter);
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
