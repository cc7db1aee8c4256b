import { describe, expect, it } from 'vitest';
import { buffer } from 'node:stream/consumers';
import { makeZip, renameInZip, withDescriptor } from '../testing/make-package.ts';
import { openPackage } from './open-package.ts';
import { PackageError } from './package-error.ts';
import { packageLimits } from './package-limits.ts';
import { packagePath } from './package-path.ts';

const refusal = (zip: Buffer, limits = packageLimits): Promise<string> =>
  withDescriptor(zip, async (file) => {
    const opened = await openPackage(file, limits).catch((error: unknown) => error);
    expect(opened).toBeInstanceOf(PackageError);
    return (opened as PackageError).message;
  });

describe('openPackage', () => {
  it('lists the files of a package with their sizes, and reads them', async () => {
    const zip = await makeZip({ 'a/b.txt': 'content', 'c.txt': '' });
    await withDescriptor(zip, async (file) => {
      const opened = await openPackage(file, packageLimits);
      expect([...opened.sizes]).toEqual([
        ['a/b.txt', 7],
        ['c.txt', 0],
      ]);
      expect((await opened.read('a/b.txt', 10))?.toString()).toBe('content');
      expect((await buffer(await opened.stream('c.txt'))).length).toBe(0);
      expect(await opened.read('absent', 10)).toBeNull();
      await expect(opened.read('a/b.txt', 6)).rejects.toThrow('a/b.txt is too large');
    });
  });

  it.each([
    ['../evil.txt', 'leads out of it: ../evil.txt'],
    ['a/../../x.t', 'leads out of it: a/../../x.t'],
    ['..\\evil.txt', 'leads out of it: ../evil.txt'],
    ['/etc/passwd', 'absolute path: /etc/passwd'],
    ['C:/evil.txt', 'absolute path: C:/evil.txt'],
    ['a\u0000/evil.tx', 'invalid name'],
    ['.', 'invalid name'],
  ])('rejects a package with the path %j', async (name, message) => {
    const innocent = 'n'.repeat(name.length);
    const zip = renameInZip(await makeZip({ [innocent]: 'x' }), innocent, name);
    expect(await refusal(zip)).toContain(message);
  });

  it('rejects a package with a symbolic link', async () => {
    expect(await refusal(await makeZip({ link: '/etc/passwd' }, 0o120777))).toContain(
      'a link or special file: link',
    );
  });

  it('rejects a package that contains a path twice', async () => {
    const zip = renameInZip(await makeZip({ 'a.html': '1', 'b.html': '2' }), 'b.html', 'a.html');
    expect(await refusal(zip)).toContain('the file a.html twice');
  });

  it('rejects a package with too many files or uncompressed bytes', async () => {
    const zip = await makeZip({ a: 'aaaa', b: 'bbbb', c: 'cccc' });
    const limited = (limits: Partial<typeof packageLimits>) =>
      refusal(zip, { ...packageLimits, ...limits });
    expect(await limited({ files: 2 })).toContain('more than 2 files');
    expect(await limited({ directoryBytes: 2 })).toContain('central directory');
    expect(await limited({ fileBytes: 3 })).toContain('file a is larger than 3 bytes');
    expect(await limited({ totalBytes: 11 })).toContain('more than 11 bytes');
  });

  it('rejects a zip bomb, whether it is one file or many', async () => {
    const zeros = Buffer.alloc(3 * 1024 * 1024);
    expect(await refusal(await makeZip({ bomb: zeros }))).toContain('ratio of the file bomb');
    const small = zeros.subarray(0, 900_000);
    expect(await refusal(await makeZip({ a: small, b: small, c: small }))).toContain(
      'The compression ratio of the package',
    );
  });

  it('fails to read a file whose size differs from the declared one', async () => {
    const zip = await makeZip({ 'a.txt': 'x'.repeat(1000) });
    const entry = zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    zip.writeUInt32LE(10, entry + 24);
    await withDescriptor(zip, async (file) => {
      const opened = await openPackage(file, packageLimits);
      await expect(opened.read('a.txt', 2000)).rejects.toThrow('broken zip file');
    });
  });

  it('rejects a package that is protected by a password', async () => {
    const zip = await makeZip({ 'a.txt': 'x' });
    const entry = zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    zip.writeUInt16LE(zip.readUInt16LE(entry + 8) | 1, entry + 8);
    expect(await refusal(zip)).toContain('protected by a password');
  });

  it('rejects a file that is not a zip file or is truncated', async () => {
    const zip = await makeZip({ 'a.txt': 'content of some length' });
    expect(await refusal(Buffer.from('not a zip'))).toContain('not a zip file');
    expect(await refusal(Buffer.alloc(0))).toContain('not a zip file');
    expect(await refusal(zip.subarray(0, zip.length - 30))).toContain('not a zip file');
    const noContents = Buffer.from(zip);
    noContents.writeUInt32LE(0, zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])));
    expect(await refusal(noContents)).toContain('broken zip file');
  });
});

describe('packagePath', () => {
  it('removes "." and empty segments and replaces backslashes', () => {
    expect(packagePath('./a//b\\c.html')).toBe('a/b/c.html');
    expect(packagePath('a..b/..c')).toBe('a..b/..c');
  });
});
