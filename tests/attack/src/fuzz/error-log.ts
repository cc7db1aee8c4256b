import { open } from 'node:fs/promises';
import type { Target } from '../target.ts';

/** A log line that shows a defect. */
export interface LoggedError {
  readonly process: string;
  /** The request that caused it, where the line names one. */
  readonly requestId: string | null;
  readonly text: string;
}

const chunkBytes = 1024 * 1024;
const isError = /"level":"(error|fatal)"/;

/** Reads the errors that the processes log while they run. No request may cause one. */
export class ErrorLog {
  readonly #offsets = new Map<string, number>();
  readonly #rests = new Map<string, string>();

  constructor(private readonly target: Target) {}

  /** The errors since the last call. */
  async read(): Promise<LoggedError[]> {
    const found: LoggedError[] = [];
    for (const { name, logFile } of this.target.processesOfApps) {
      const lines = await this.#newLines(logFile);
      for (const text of lines) {
        if (!isError.test(text)) continue;
        const requestId = /"request_id":"([^"]*)"/.exec(text)?.[1] ?? null;
        found.push({ process: name, requestId, text });
      }
    }
    return found;
  }

  async #newLines(path: string): Promise<string[]> {
    const file = await open(path);
    try {
      const lines: string[] = [];
      const buffer = Buffer.alloc(chunkBytes);
      for (;;) {
        const offset = this.#offsets.get(path) ?? 0;
        const { bytesRead } = await file.read(buffer, 0, chunkBytes, offset);
        if (bytesRead === 0) return lines;
        this.#offsets.set(path, offset + bytesRead);
        const text = (this.#rests.get(path) ?? '') + buffer.toString('latin1', 0, bytesRead);
        const parts = text.split('\n');
        this.#rests.set(path, parts.pop() ?? '');
        lines.push(...parts);
      }
    } finally {
      await file.close();
    }
  }
}
