import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { programEnvironment } from '@registrar/testing';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'esnext.array', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: false,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
};

/** A directory of TypeScript programs of a client's developer, inside of the checkout, whose packages they import. */
export class ProgramDirectory {
  private constructor(readonly path: string) {}

  static async create(): Promise<ProgramDirectory> {
    const parent = join(root, 'tests/e2e/var');
    await mkdir(parent, { recursive: true });
    const directory = new ProgramDirectory(await mkdtemp(join(parent, 'programs-')));
    await directory.write('package.json', '{"type":"module"}');
    return directory;
  }

  async write(name: string, text: string): Promise<void> {
    const path = join(this.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  /**
   * Checks the types of all programs.
   *
   * @throws {Error} with the compiler's output, when a program is not valid
   */
  async compile(): Promise<void> {
    const include = ['**/*.ts'];
    await this.write('tsconfig.json', JSON.stringify({ compilerOptions, include }));
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
    await this.run(process.execPath, [compiler, '--project', 'tsconfig.json']);
  }

  /**
   * Runs a program and returns its output.
   *
   * @throws {Error} with the whole output, when it fails
   */
  async run(
    program: string,
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { PATH = '' } = process.env;
    const env = {
      ...programEnvironment(),
      PATH: `${join(root, 'node_modules/.bin')}:${PATH}`,
      ...environment,
    };
    const { stdout } = await run(program, words, { cwd: this.path, env }).catch(
      (error: unknown) => {
        const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${program} ${words.join(' ')}: ${out}${stderr}`, { cause: error });
      },
    );
    return stdout;
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}
