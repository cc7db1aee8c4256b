import { describe, expect, it } from 'vitest';
import { makeZip, withDescriptor } from '../testing/make-package.ts';
import { compressedVariants, compressionLimits } from './compressed-variants.ts';
import { openPackage } from './open-package.ts';
import { packageLimits } from './package-limits.ts';

const text = 'to be or not to be '.repeat(200);

/** The codings in which the files of a package are compressed, by file. */
const encodingsOf = async (
  files: Readonly<Record<string, string | Buffer>>,
  limits: Partial<typeof compressionLimits> = {},
) =>
  withDescriptor(await makeZip(files), async (file) => {
    const coursePackage = await openPackage(file, packageLimits);
    const variantsOf = compressedVariants(coursePackage, { ...compressionLimits, ...limits });
    const encodings: Record<string, string[]> = {};
    for (const [path, size] of coursePackage.sizes) {
      encodings[path] = [];
      for await (const { encoding } of variantsOf(path, size)) encodings[path].push(encoding);
    }
    return encodings;
  });

describe('compressedVariants', () => {
  it('compresses files of types that gain by it', async () => {
    const names = ['a.html', 'b.JS', 'c.css', 'd.json', 'e.svg', 'f.xml', 'g.ttf', 'unknown'];
    const others = ['i.png', 'j.mp4', 'k.woff2', 'l.zip'];
    const files = Object.fromEntries([...names, ...others].map((name) => [name, text]));
    const expected = [
      ...names.map((name) => [name, ['br', 'gzip']] as const),
      ...others.map((name) => [name, []] as const),
    ];
    expect(await encodingsOf(files)).toEqual(Object.fromEntries(expected));
  });

  it('compresses neither files of less than a packet nor large ones', async () => {
    const files = { 'small.js': text.slice(0, 1023), 'js.js': text, 'large.js': `${text} ` };
    expect(await encodingsOf(files, { maxFileBytes: text.length })).toEqual({
      'small.js': [],
      'js.js': ['br', 'gzip'],
      'large.js': [],
    });
  });

  it('compresses no more files of a package when the processor time is over', async () => {
    const files = { 'first.js': text, 'second.js': text };
    expect(await encodingsOf(files, { cpuMs: 0.000_1 })).toEqual({
      'first.js': ['br'],
      'second.js': [],
    });
  });
});
