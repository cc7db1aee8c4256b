import { Session } from 'node:inspector/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Loaded into each process of a system (`--import`). The first SIGUSR2 begins to count calls of functions, each
 * further one writes the files whose functions have been called since the one before.
 */

/** Where the files `<process id>-<number of the signal>.json` are written. */
export const directoryVariable = 'EXECUTED_FILES_DIRECTORY';

const directory = process.env[directoryVariable];
if (directory) {
  const session = new Session();
  session.connect();
  let signals = 0;
  process.on('SIGUSR2', () => {
    const path = join(directory, `${process.pid}-${signals}.json`);
    signals += 1;
    void (signals === 1 ? begin() : called()).then((files) =>
      writeFile(path, JSON.stringify(files), { flush: true }),
    );
  });

  const begin = async (): Promise<string[]> => {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return [];
  };
  const called = async (): Promise<string[]> => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
      .map(({ url }) => url);
  };
}
