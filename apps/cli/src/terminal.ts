import type { Readable, Writable } from 'node:stream';

/** What a command has of the process that it runs in. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly environment: NodeJS.ProcessEnv;
}

/** The command line or a file that it names is invalid; no request was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
