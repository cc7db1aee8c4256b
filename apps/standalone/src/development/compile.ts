import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Options, transformFile } from '@swc/core';

/** Whether a file below a project's `src` has no part in the program. */
export const isTestFile = (path: string): boolean => /\.(spec|fixture)\.ts$/.test(path);

/**
 * Writes to `dist` what the build would write for one source file, or removes it when the source is
 * gone. Files of other kinds are copied.
 *
 * @param project the directory of the project
 * @param file the path of the source, from the project's `src`
 */
export async function compile(project: string, file: string, options: Options): Promise<void> {
  const source = join(project, 'src', file);
  const target = join(project, 'dist', file.replace(/\.ts$/, '.js'));
  try {
    await mkdir(dirname(target), { recursive: true });
    if (!file.endsWith('.ts')) return await copyFile(source, target);
    const { code, map } = await transformFile(source, options);
    const name = basename(target);
    await writeFile(target, `${code}\n//# sourceMappingURL=${name}.map\n`);
    if (map) await writeFile(`${target}.map`, map);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await rm(target, { force: true });
  }
}

/** The options of the build (.swcrc). */
export const readOptions = async (root: string): Promise<Options> => ({
  ...(JSON.parse(await readFile(join(root, '.swcrc'), 'utf8')) as Options),
  swcrc: false,
});
