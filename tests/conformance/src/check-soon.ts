import { check } from './checks.ts';

/** How long an event may take between two contexts, and a gateway may accept a deleted key. */
const patienceMs = 30_000;

/** Repeats a check until it holds. @throws an error with `reason` when it does not in time */
export async function checkSoon(
  holds: () => Promise<boolean>,
  reason: string,
  timeoutMs = patienceMs,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    check(Date.now() < deadline, reason);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
