import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Shorter texts could occur by chance, and grep searches for lines. */
const searchable = /^\S{16,}$/;

/** The secrets of an installation, which must not leave it. */
export class KnownSecrets {
  readonly #all = new Set<string>();

  add(...secrets: readonly string[]): void {
    const unfit = secrets.find((secret) => !searchable.test(secret));
    if (unfit !== undefined) throw new Error(`'${unfit}' cannot be searched for`);
    for (const secret of secrets) this.#all.add(secret);
  }

  get size(): number {
    return this.#all.size;
  }

  /**
   * Searches files with grep, which looks for all texts at once.
   *
   * @param listFile file that receives the secrets while they are searched for
   * @returns one line for each file that contains one, without the secret
   */
  async findIn(files: readonly string[], listFile: string): Promise<string[]> {
    await writeFile(listFile, [...this.#all].join('\n'), { mode: 0o600 });
    const found: string[] = [];
    for (const file of files) {
      const options = ['--fixed-strings', '--count', '--file', listFile];
      // Exit code 1: no line contains one.
      const { stdout } = await run('grep', [...options, file]).catch(
        (error: { code?: unknown; stdout: string }) => {
          if (error.code === 1) return error;
          throw error;
        },
      );
      const lines = Number(stdout);
      if (lines > 0) found.push(`${lines} lines of ${file} contain a secret`);
    }
    return found;
  }
}
