import { fetchLaunch } from '@registrar/conformance';
import * as z from 'zod';
import { type BalancedClient, closeConnection } from './balanced-client.ts';

const navigationResponse = z.object({ activity: z.object({ sitting: z.int() }) });

/** The only activity of the sample course. */
const activityId = 'lesson';

/**
 * Plays the sample course at a launch link as its player does: opens it and reports its end with a
 * score. Returns true when the provider has acknowledged the report.
 */
export async function playAttempt(
  calls: BalancedClient,
  link: string,
  score: number,
): Promise<boolean> {
  let window = '';
  const opened = await calls.provider('launch', async () => {
    const answer = await fetchLaunch(link, { redirect: 'manual', headers: closeConnection });
    window = new URL(answer.headers.get('location') ?? '', link).href;
    return answer.status === 303 ? new Response(null) : answer;
  });
  if (!opened.done) return false;
  const post = (path: string, body: object) => () =>
    fetchLaunch(new URL(path, window).href, {
      method: 'POST',
      headers: { ...closeConnection, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const choice = { command: 'choice', target: activityId, current: null };
  const begun = await calls.provider('attempt begin', post('navigation', choice));
  if (!begun.done) return false;
  const { sitting } = navigationResponse.parse(begun.body).activity;
  const core = {
    lesson_status: score >= 50 ? 'passed' : 'failed',
    score: { raw: String(score), min: '0', max: '100' },
  };
  const report = {
    activityId,
    sitting,
    sequence: 1,
    seconds: 60,
    runtime: { core },
    ended: true,
    closing: true,
  };
  return (await calls.provider('attempt report', post('reports', report))).done;
}
