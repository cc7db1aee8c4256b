import { type BalancedClient, type Ledger, playAttempt } from '@registrar/chaos';
import * as z from 'zod';

const launch = z.object({ launch_url: z.url() });

/** A launch that a learner has begun and not finished. */
export interface OpenLaunch {
  readonly guid: string;
  readonly link: string;
}

/** Launches some registrations that nobody has played yet. */
export async function launchSome(
  calls: BalancedClient,
  ledger: Ledger,
  count: number,
): Promise<OpenLaunch[]> {
  const played = new Set(ledger.attempts.map(({ guid }) => guid));
  const guids = ledger.registrations.flatMap(({ guid }) => (guid && !played.has(guid) ? guid : []));
  const launched: OpenLaunch[] = [];
  for (const guid of guids.slice(-count)) {
    const path = `/registration/${guid}/launch_url.json`;
    const answer = await calls.get('registration launch_url', path, {});
    if (!answer.done) throw new Error(`the launch of ${guid} failed: ${answer.kind}`);
    launched.push({ guid, link: launch.parse(answer.body).launch_url });
  }
  return launched;
}

/** Finishes launches, so that the provider has results that Registrar does not have yet. */
export async function finish(
  calls: BalancedClient,
  ledger: Ledger,
  launches: readonly OpenLaunch[],
): Promise<void> {
  for (const [place, { guid, link }] of launches.entries()) {
    const score = 50 + place;
    const kept = await playAttempt(calls, link, score);
    if (!kept) throw new Error(`the attempt of ${guid} was not recorded`);
    ledger.attempts.push({ guid, score });
  }
}
