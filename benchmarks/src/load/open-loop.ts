import { Agent, request } from 'node:http';
import type { HttpLoad, HttpRequest } from './http-load.ts';
import type { OnResponse } from './http-load-process.ts';

/** How late Node's timers are on an idle machine: milliseconds. */
const timerResolutionMs = 2;

/**
 * Starts to send a constant number of requests a second, whether they are answered or not. The latency counts
 * from the intended start of a request, so that a request that was sent late because the machine was busy counts
 * with its delay. Only the resolution of timers is left out.
 *
 * @returns stops the loop, and resolves when the last response has arrived
 */
export function startOpenLoop(
  { requests }: HttpLoad,
  perSecond: number,
  onResponse: OnResponse,
): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const pending = new Set<Promise<void>>();
  const begun = performance.now();
  let sent = 0;
  const intendedOf = (place: number) => begun + (place * 1_000) / perSecond;
  const sendDue = () => {
    for (; intendedOf(sent) <= performance.now(); sent += 1) {
      const now = performance.now();
      const intended = intendedOf(sent);
      const start = now - intended <= timerResolutionMs ? now : intended;
      const next = requests[sent % requests.length]!;
      const answered: Promise<void> = send(next, agent).then((status) => {
        pending.delete(answered);
        onResponse(status, performance.now() - start);
      });
      pending.add(answered);
    }
    timer = setTimeout(sendDue, Math.max(0, intendedOf(sent) - performance.now()));
  };
  let timer = setTimeout(sendDue, 0);
  return async () => {
    clearTimeout(timer);
    await Promise.all(pending);
    agent.destroy();
  };
}

/** Resolves with the status, or the message of an error, after the last byte. */
function send(
  { url, method = 'GET', body, headers }: HttpRequest,
  agent: Agent,
): Promise<number | string> {
  return new Promise((resolve) => {
    const outgoing = request(url, { agent, method, ...(headers && { headers }) }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', (error) => resolve(error.message));
      response.resume();
    });
    outgoing.on('error', (error) => resolve(error.message));
    outgoing.end(body);
  });
}
