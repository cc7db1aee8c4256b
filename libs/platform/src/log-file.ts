import { renameSync, statSync } from 'node:fs';
import { pino, type DestinationStream } from 'pino';

/** When a log file is renamed to `<path>.1`, and how many such files are kept: 256 MiB in all. */
const logFileLimits = { bytes: 16 * 1024 * 1024, kept: 15 };

/**
 * Opens a log file to which lines are appended asynchronously. A full one is renamed to `<path>.1`, that to `<path>.2`,
 * and so on; the oldest is replaced.
 */
export function logFile(path: string, limits = logFileLimits): DestinationStream {
  const file = pino.destination({ dest: path, append: true, mkdir: true, sync: false });
  let bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    write: (line) => {
      file.write(line);
      bytes += Buffer.byteLength(line);
      if (bytes < limits.bytes) return;
      bytes = 0;
      for (const [from, to] of renames(path, limits.kept)) rename(from, to);
      file.reopen();
    },
  };
}

/** The paths of a log, oldest first. */
export const logFilesOf = (path: string): string[] => [
  ...renames(path, logFileLimits.kept).map(([, to]) => to),
  path,
];

/** What the files are renamed to, oldest first. */
const renames = (path: string, kept: number): [from: string, to: string][] =>
  Array.from({ length: kept }, (_, index) => kept - index).map((number) => [
    number === 1 ? path : `${path}.${number - 1}`,
    `${path}.${number}`,
  ]);

/** A file that does not exist yet, or that Windows does not let go, stays as it is. */
function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // The log goes on in the same file.
  }
}
