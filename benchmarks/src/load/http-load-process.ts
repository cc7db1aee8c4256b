import type { HttpLoadCommand, HttpLoadReport } from './http-load.ts';
import { startClosedLoop } from './closed-loop.ts';
import { startOpenLoop } from './open-loop.ts';

/**
 * Sends the requests of a load and measures them in the middle of it: after a warm-up, and before the first
 * client stops, so that the processor time that others measure meanwhile belongs to these requests alone.
 */
process.on('message', (command: HttpLoadCommand) => run(command));
process.send?.('ready');

/** A response as a loop has seen it: its status, or the name of an error. */
export type OnResponse = (status: number | string, latencyMs: number) => void;

function run(command: HttpLoadCommand): void {
  const { pace, status, warmUpMs, measuredMs } = command;
  const expected = new Set<number | string>([status].flat());
  let latenciesMs: number[] | null = null;
  const unexpected: Record<string, number> = {};
  const onResponse: OnResponse = (given, latencyMs) => {
    if (!expected.has(given)) unexpected[given] = (unexpected[given] ?? 0) + 1;
    else latenciesMs?.push(latencyMs);
  };
  const stop =
    'connections' in pace
      ? startClosedLoop(command, pace.connections, onResponse)
      : startOpenLoop(command, pace.perSecond, onResponse);
  setTimeout(() => {
    const seen: number[] = [];
    latenciesMs = seen;
    const begun = performance.now();
    report({ event: 'begin' });
    setTimeout(() => {
      latenciesMs = null;
      const elapsedMs = performance.now() - begun;
      void stop().then(() => report({ event: 'end', elapsedMs, latenciesMs: seen, unexpected }));
    }, measuredMs);
  }, warmUpMs);
}

const report = (what: HttpLoadReport) => process.send?.(what);
