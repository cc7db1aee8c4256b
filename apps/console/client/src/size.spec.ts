import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** The most that the browser loads before the first page is there: bytes, compressed. */
const mostBytes = 250_000;

const client = new URL('../../dist/client/', import.meta.url);

/** A file of the build, as Vite's manifest has it. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

/** The scripts that a chunk needs, each once. */
function scriptsOf(
  manifest: Readonly<Record<string, Chunk>>,
  names: readonly string[],
): Set<string> {
  const files = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const each of chunk.imports ?? []) visit(each);
  };
  for (const name of names) visit(name);
  return files;
}

describe('the size of the client', () => {
  it.each(['SignIn', 'Overview', 'ParkedEvents'])(
    'the scripts of %sPage as the first page are at most 250 kB with Brotli',
    async (page) => {
      const manifest = JSON.parse(
        await readFile(new URL('.vite/manifest.json', client), 'utf8'),
      ) as Record<string, Chunk>;
      const own = Object.keys(manifest).find((name) => name.endsWith(`/${page}Page.tsx`));
      expect(own).toBeDefined();
      const files = scriptsOf(manifest, ['index.html', own!, 'src/messages/de.json']);
      const sizes = await Promise.all(
        [...files].map(
          async (file) => (await stat(fileURLToPath(new URL(`${file}.br`, client)))).size,
        ),
      );
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      expect(bytes).toBeGreaterThan(100_000);
      expect(bytes).toBeLessThanOrEqual(mostBytes);
    },
  );
});
