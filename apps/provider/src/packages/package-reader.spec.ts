import { describe, expect, it } from 'vitest';
import { makeManifest, makeZip, smallestPackage, withDescriptor } from '../testing/make-package.ts';
import { PackageError } from './package-error.ts';
import { PackageReader, readerLimits, type ReaderLimits } from './package-reader.ts';

/** Of a busy machine. */
const longTime = { manifestMs: 280_000, batchMs: 280_000 };

/** Reads a whole package. */
const read = (zip: Buffer, limits: Partial<ReaderLimits> = {}) =>
  withDescriptor(zip, async (file) => {
    using reader = new PackageReader(file, 'import', { ...readerLimits, ...longTime, ...limits });
    const { title, structure, warnings } = await reader.readManifest();
    const batches = [];
    for await (const batch of reader.batches()) batches.push(batch);
    return { title, structure: JSON.parse(structure) as unknown, warnings, batches };
  });
const refusal = (zip: Buffer, limits?: Partial<ReaderLimits>) =>
  read(zip, limits).then(
    () => 'none',
    (error: Error) => (error instanceof PackageError ? error.message : error),
  );

const page = '<resource identifier="page" adlcp:scormtype="sco" href="page.html"/>';
const numbers = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join('');

describe('PackageReader', () => {
  it('reads the manifest and the files of a package', async () => {
    const whole = await read(await smallestPackage('First'));
    expect(whole).toMatchObject({
      title: 'First',
      structure: { standard: 'SCORM12', root: { title: 'First' } },
      warnings: [expect.stringContaining('calls the SCORM API')],
      batches: [{ files: [{ path: 'imsmanifest.xml' }, { path: 'page.html', size: 46 }] }],
    });
    expect(whole.batches[0]?.pieces[1]?.bytes.toString()).toContain('<p>Hello</p>');
  });

  it('a package that exhausts the memory is refused, and this process goes on', async () => {
    // Each item repeats the objectives that all of them refer to.
    const items = numbers(
      10_000,
      (n) => `<item identifier="i${n}" identifierref="page"><imsss:sequencing IDRef="s"/></item>`,
    );
    const objectives = numbers(10_000, (n) => `<imsss:objective objectiveID="o${n}"/>`);
    const manifest = makeManifest(items, page, '2004 4th Edition').replace(
      '</manifest>',
      `<imsss:sequencingCollection><imsss:sequencing ID="s">
         <imsss:objectives>${objectives}</imsss:objectives>
       </imsss:sequencing></imsss:sequencingCollection></manifest>`,
    );
    const zip = await makeZip({ 'imsmanifest.xml': manifest, 'page.html': '' });
    expect(await refusal(zip)).toBe('The package takes more than 48 MiB of memory to read.');
  });

  it('a package with the most elements and attributes needs no more memory than there is', async () => {
    const elements = numbers(99_900, (n) => `<a b="${n}" c="é"/>`);
    const manifest = makeManifest(
      '<item identifier="item" identifierref="page"/>',
      page + elements,
    );
    const zip = await makeZip({ 'imsmanifest.xml': manifest, 'page.html': '' });
    expect(await read(zip)).toMatchObject({ title: 'Made course' });
  });

  it('a package that takes too long is refused', async () => {
    expect(await refusal(await smallestPackage(), { manifestMs: 1 })).toBe(
      'The package takes more than 0.001 s to read.',
    );
  });

  it('fails without blaming the package if its program does not start', async () => {
    const zip = await smallestPackage();
    expect(await refusal(zip, { heapMb: Number.NaN })).toEqual(
      new Error('the process that reads a package ended with exit code 9'),
    );
  });
});
