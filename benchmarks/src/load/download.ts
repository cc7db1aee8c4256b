import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Round } from '../results.ts';
import {
  cpuBetween,
  cpuTimesOf,
  memoryMbOf,
  type Processes,
  residentMemoryOf,
} from '../system/process-usage.ts';

/** How often the memory of processes is read during a download: milliseconds. */
const sampleMs = 50;

/** What is observed during a download. */
interface Observed {
  readonly processes: Processes;
  /** The memory of each process whose growth is measured, before the first download: MB. */
  readonly memoryBefore?: ReadonlyMap<number, number>;
}

/**
 * Measures a download in this process, which reads and discards it: MB a second, the time until the first byte, the
 * processor time for each MB, and the most by which a process has grown.
 *
 * @param start returns the URL, or starts another source of bytes
 */
export async function measureDownload(
  start: () => string | Promise<Readable>,
  { processes, memoryBefore }: Observed,
): Promise<Round> {
  const all = { ...processes, clients: { pids: [process.pid] } };
  const peaks = new Map(memoryBefore);
  const sampling = setInterval(() => {
    for (const [pid, peak] of peaks) peaks.set(pid, Math.max(peak, residentMemoryOf(pid)));
  }, sampleMs);
  const before = cpuTimesOf(all);
  const begun = performance.now();
  let firstByteMs = NaN;
  let bytes = 0;
  try {
    const source = await start();
    const stream = typeof source === 'string' ? await request(source) : source;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (bytes === 0) firstByteMs = performance.now() - begun;
      bytes += chunk.length;
    }
  } finally {
    clearInterval(sampling);
  }
  const elapsedMs = performance.now() - begun;
  const work = bytes / 1e6;
  const growth = [...peaks].map(([pid, peak]) => peak - (memoryBefore?.get(pid) ?? peak));
  return {
    rate: (work * 1_000) / elapsedMs,
    firstByteMs,
    ...(memoryBefore && { growthMb: Math.max(...growth) }),
    cpuMs: cpuBetween(before, cpuTimesOf(all), work),
    ...(processes.HTTP && { memoryMb: memoryMbOf(processes) }),
  };
}

/** Resolves when the headers have arrived. An incomplete body fails while it is read. */
async function request(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url} returned ${response.statusCode}`);
  return response;
}
