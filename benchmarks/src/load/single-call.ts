import type { Round } from '../results.ts';
import { cpuBetween, cpuTimesOf, memoryMbOf, type Processes } from '../system/process-usage.ts';

/**
 * Measures one call that this process makes: its seconds, units of work a second, and the processor time
 * for each unit.
 *
 * @param work the units of work that the call does
 */
export async function measureCall(
  call: () => Promise<void>,
  work: number,
  processes: Processes,
): Promise<Round> {
  const all = { ...processes, clients: { pids: [process.pid] } };
  const before = cpuTimesOf(all);
  const begun = performance.now();
  await call();
  const seconds = (performance.now() - begun) / 1_000;
  return {
    seconds,
    rate: work / seconds,
    cpuMs: cpuBetween(before, cpuTimesOf(all), work),
    ...(processes.HTTP && { memoryMb: memoryMbOf(processes) }),
  };
}
