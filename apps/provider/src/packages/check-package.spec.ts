import { describe, expect, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PackageFinding } from '@registrar/contracts';
import { buildSamplePackage, sampleCourseNames } from '@registrar/sample-courses';
import { makeManifest, makeZip, renameInZip, withDescriptor } from '../testing/make-package.ts';
import { shownFindings } from './findings.ts';
import { PackageError } from './package-error.ts';
import { PackageReader, readerLimits } from './package-reader.ts';
import { packageRules, type PackageRule } from './package-rules.ts';
import { readPackage } from './read-package.ts';
import type { ReaderPurpose } from './reader-messages.ts';

/** What is found by a check or an import, in this process. */
const findingsOf = async (file: number, purpose: ReaderPurpose) => {
  const answers = readPackage(file, purpose);
  for (;;) {
    const { value } = await answers.next();
    if ('failure' in value) throw new Error(value.failure);
    if ('findings' in value) return value.findings;
    if ('refusal' in value) return value.refusal;
    if ('end' in value) return [];
  }
};

/** Checks a package. An import finds the same errors. */
const check = (zip: Buffer): Promise<readonly PackageFinding[]> =>
  withDescriptor(zip, async (file) => {
    const findings = await findingsOf(file, 'check');
    const errorsOf = (all: readonly PackageFinding[]) =>
      all
        .filter(({ severity }) => severity === 'error')
        .map(({ rule, message }) => [rule, message]);
    expect(errorsOf(findings)).toEqual(errorsOf(await findingsOf(file, 'import')));
    return findings;
  });

const call = '<!doctype html><script>parent.API.LMSInitialize("")</script>';
const page = '<resource identifier="page" adlcp:scormtype="sco" href="page.html"/>';
const item = '<item identifier="item" identifierref="page"><title>Page</title></item>';
const version = '2004 4th Edition';

/** Checks a package with this manifest, and a page that calls the API. */
const checkMade = async (manifest: string | Buffer, files: Record<string, string | Buffer> = {}) =>
  check(await makeZip({ 'imsmanifest.xml': manifest, 'page.html': call, ...files }));

const found = (rule: PackageRule, message: string, place: Partial<PackageFinding> = {}) =>
  expect.objectContaining({
    rule,
    severity: packageRules[rule].severity,
    remedy: packageRules[rule].remedy,
    message: expect.stringContaining(message),
    ...place,
  });

/** An item with this content. */
const itemWith = (content: string) => item.replace('</item>', `${content}</item>`);
const sequenced = (content: string) => itemWith(`<imsss:sequencing>${content}</imsss:sequencing>`);
const rulesOf = (rule: string) =>
  `<imsss:sequencingRules><imsss:preConditionRule>${rule}</imsss:preConditionRule></imsss:sequencingRules>`;
const inManifest = (line: number) => ({ file: 'imsmanifest.xml', line });
const bit = (zip: Buffer, set: (entry: number) => void) => {
  const entry = zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  set(entry);
  return zip;
};
const wrongName = async () => {
  const zip = await makeZip({
    'imsmanifest.xml': makeManifest(item, page),
    'page.html': call,
    'xx.txt': '',
  });
  const renamed = renameInZip(zip, 'xx.txt', '\u00e4\u00f6.txt');
  // The flag of the last entry, which says that its name is in UTF-8.
  const entry = renamed.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  renamed.writeUInt16LE(renamed.readUInt16LE(entry + 8) & ~0x800, entry + 8);
  return renamed;
};

describe('the check of a package', () => {
  it.each(sampleCourseNames)('finds nothing in the sample course %s', async (name) => {
    expect(await check(await buildSamplePackage(name))).toEqual([]);
  });

  it.each<[string, () => Promise<Buffer>, ReturnType<typeof found>]>([
    [
      'an empty file',
      async () => Buffer.alloc(0),
      found('zip-unreadable', 'it is empty', { file: null, line: null }),
    ],
    ['a text', async () => Buffer.from('text'), found('zip-unreadable', 'or it is truncated')],
    [
      'a RAR archive',
      async () => Buffer.from('Rar!\u001a\u0007\u0000'),
      found('zip-unreadable', 'but a RAR archive'),
    ],
    [
      'an encrypted zip file',
      async () => {
        const zip = await makeZip({ 'a.txt': 'x', 'b.txt': 'x' });
        return bit(zip, (entry) => zip.writeUInt16LE(zip.readUInt16LE(entry + 8) | 1, entry + 8));
      },
      found('zip-encrypted', 'protected by a password'),
    ],
    [
      'another compression method',
      async () => {
        const zip = await makeZip({ 'a.txt': 'x' });
        return bit(zip, (entry) => zip.writeUInt16LE(14, entry + 10));
      },
      found('zip-compression', 'file a.txt is not supported', { file: 'a.txt' }),
    ],
    [
      'a path out of the package',
      async () =>
        renameInZip(
          await makeZip({ 'an-evil.txt': '' }),
          'an-evil.txt',
          '../evil.txt'.slice(0, 11),
        ),
      found('zip-path', 'leads out of it'),
    ],
    [
      'a symbolic link',
      () => makeZip({ link: '/etc/passwd' }, 0o120777),
      found('zip-special-file', 'link or special file', { file: 'link' }),
    ],
    [
      'a path twice',
      async () => renameInZip(await makeZip({ 'a.html': '1', 'b.html': '2' }), 'b.html', 'a.html'),
      found('zip-duplicate', 'a.html twice', { file: 'a.html' }),
    ],
    ['a name without its encoding', wrongName, found('zip-name-encoding', '.txt: links to it')],
    [
      'a zip bomb',
      () => makeZip({ bomb: Buffer.alloc(3_000_000) }),
      found('package-ratio', 'ratio of the file bomb', { file: 'bomb' }),
    ],
    [
      'too many files',
      async () => {
        const zip = await makeZip({ a: '' });
        zip.writeUInt16LE(20_001, zip.length - 12);
        return zip;
      },
      found('package-too-large', 'more than 20000 files'),
    ],
    [
      'a file that cannot be decompressed',
      async () => {
        const files = { 'imsmanifest.xml': makeManifest(item, page), 'page.html': call };
        const zip = await makeZip({ ...files, 'media.bin': 'x'.repeat(100_000) });
        const start = zip.indexOf('media.bin');
        return zip.fill(0xff, start + 20, start + 60);
      },
      found('zip-unreadable', 'broken zip file'),
    ],
    ['no manifest', () => makeZip({ 'index.html': '' }), found('manifest-missing', 'not a SCORM')],
    [
      'a zipped folder',
      () => makeZip({ 'course/imsmanifest.xml': '', 'course/page.html': '' }),
      found('manifest-in-folder', 'at its root', { file: 'course/imsmanifest.xml' }),
    ],
    [
      'a cmi5 package',
      () => makeZip({ 'cmi5.xml': '' }),
      found('standard-unsupported', 'a cmi5 package', { file: 'cmi5.xml' }),
    ],
    [
      'an xAPI package',
      () => makeZip({ 'tincan.xml': '' }),
      found('standard-unsupported', 'xAPI (Tin Can)'),
    ],
    [
      'an AICC package',
      () => makeZip({ 'a.crs': '', 'a.au': '', 'a.des': '', 'a.cst': '' }),
      found('standard-unsupported', 'an AICC package'),
    ],
    ['an H5P package', () => makeZip({ 'h5p.json': '' }), found('standard-unsupported', 'H5P')],
  ])('finds %s', async (_, make, expected) => {
    expect(await check(await make())).toContainEqual(expected);
  });

  it.each<[string, string | Buffer, ReturnType<typeof found>]>([
    [
      'a manifest that is not well-formed',
      makeManifest(item, page).replace('</item>', ''),
      found('manifest-malformed', 'not well-formed XML (line 8)', inManifest(8)),
    ],
    [
      'a manifest of another standard',
      makeManifest(item, page).replace('>1.2<', '>9.9<').replace('adlcp_rootv1p2', 'other'),
      found('standard-unsupported', 'not supported: 9.9', inManifest(5)),
    ],
    ['another root element', '<html/>', found('standard-unsupported', 'is not the manifest')],
    [
      'an encoding that does not exist',
      makeManifest(item, page).replace('UTF-8', 'UTF-99'),
      found('xml-encoding', 'not known: UTF-99', inManifest(1)),
    ],
    [
      'bytes of another encoding',
      Buffer.from(makeManifest(item, page).replace('Page', 'Caf\u00e9'), 'latin1'),
      found('xml-characters', 'bytes that are not UTF-8', inManifest(7)),
    ],
    [
      'too many elements',
      makeManifest(item, `${page}${'<a/>'.repeat(100_000)}`),
      found('manifest-too-large', 'more than 100000 elements'),
    ],
    [
      'two items of one identifier',
      makeManifest(`${item}\n${item}`, page),
      found('item-identifier', 'not unique: item', inManifest(8)),
    ],
    [
      'a resource that does not exist',
      makeManifest(item, ''),
      found('resource-unknown', 'no resource page', inManifest(7)),
    ],
    [
      'a launched file that does not exist',
      makeManifest(item, page.replace('page.html', 'gone.html')),
      found('launch-missing', 'launches gone.html', inManifest(9)),
    ],
    [
      'a launched URL of another host',
      makeManifest(item, page.replace('page.html', 'https://example.com/')),
      found('href-outside', 'outside of the package: https://example.com/', inManifest(9)),
    ],
    [
      'a launched path outside of the package',
      makeManifest(item, page.replace('page.html', '../page.html')),
      found('href-outside', 'refers to a file whose path leads out of it', inManifest(9)),
    ],
    [
      'no items',
      makeManifest('', page),
      found('nothing-to-launch', 'nothing that can be launched'),
    ],
    [
      'files of the manifest that do not exist',
      makeManifest(
        item,
        page.replace('/>', '><file href="page.html"/>\n<file href="a/b.js"/></resource>'),
      ),
      found('file-missing', 'names a/b.js', inManifest(10)),
    ],
    [
      'files of the manifest at other addresses',
      makeManifest(item, page.replace('/>', '><file href="http://example.com/a.js"/></resource>')),
      found('file-outside', 'http://example.com/a.js', inManifest(9)),
    ],
    [
      'names in another case',
      makeManifest(item, page.replace('page.html', 'Page.HTML')),
      found('file-case', 'Page.HTML, but the file is page.html', inManifest(9)),
    ],
    [
      'a default organization that does not exist',
      makeManifest(item, page).replace('default="org"', 'default="gone"'),
      found('default-organization', 'gone does not exist', inManifest(6)),
    ],
    [
      'no default organization',
      makeManifest(item, page).replace(' default="org"', ''),
      found('default-organization', 'names no default', inManifest(6)),
    ],
    [
      'no organization',
      makeManifest('', page).replace(/<organizations[^]*<\/organizations>/, '<organizations/>'),
      found('no-organization', 'resources become the items', inManifest(6)),
    ],
    [
      'several organizations',
      makeManifest(item, page).replace(
        '</organizations>',
        '<organization identifier="other"/></organizations>',
      ),
      found('several-organizations', 'Only one', inManifest(8)),
    ],
    [
      'a sub-manifest',
      makeManifest(item, page).replace('</manifest>', '<manifest/></manifest>'),
      found('sub-manifest', 'not imported', inManifest(10)),
    ],
    [
      'a dependency that does not exist',
      makeManifest(item, page.replace('/>', '><dependency identifierref="gone"/></resource>')),
      found('dependency-unknown', 'no resource gone', inManifest(9)),
    ],
    [
      'metadata that do not exist',
      makeManifest(item, page).replace('<metadata>', '<metadata><location>m.xml</location>'),
      found('metadata-missing', 'metadata m.xml', inManifest(5)),
    ],
    [
      'prerequisites of items that do not exist',
      makeManifest(itemWith('<adlcp:prerequisites>item &amp; gone</adlcp:prerequisites>'), page),
      found('prerequisites', 'name no item, and keep nobody out: gone', inManifest(7)),
    ],
    [
      'prerequisites that cannot be parsed',
      makeManifest(itemWith('<adlcp:prerequisites>(item</adlcp:prerequisites>'), page),
      found('prerequisites', 'cannot be parsed', inManifest(7)),
    ],
    [
      'a masteryscore out of range',
      makeManifest(itemWith('<adlcp:masteryscore>180</adlcp:masteryscore>'), page),
      found('value-out-of-range', 'from 0 to 100, and has no effect: 180', inManifest(7)),
    ],
    [
      'a time limit action that does not exist',
      makeManifest(itemWith('<adlcp:timelimitaction>quit</adlcp:timelimitaction>'), page),
      found('unknown-value', 'quit', inManifest(7)),
    ],
    [
      'launch parameters with spaces',
      makeManifest(item.replace('item"', 'item" parameters="?name=a b"'), page),
      found('launch-parameters', 'characters that a URL does not have', inManifest(7)),
    ],
    [
      'launch parameters without a resource',
      makeManifest(`<item identifier="group" parameters="?a=1">${item}</item>`, page),
      found('launch-parameters', 'launches nothing', inManifest(7)),
    ],
    [
      'a normalized measure out of range',
      makeManifest(
        sequenced(
          '<imsss:objectives><imsss:primaryObjective><imsss:minNormalizedMeasure>80</imsss:minNormalizedMeasure></imsss:primaryObjective></imsss:objectives>',
        ),
        page,
        version,
      ),
      found('value-out-of-range', 'from -1 to 1, and has no effect: 80'),
    ],
    [
      'a rule action that does not exist',
      makeManifest(sequenced(rulesOf('<imsss:ruleAction action="hide"/>')), page, version),
      found('unknown-value', 'no such action, and has no effect: hide', inManifest(7)),
    ],
    [
      'an objective that does not exist',
      makeManifest(
        sequenced(
          rulesOf(
            '<imsss:ruleConditions><imsss:ruleCondition condition="satisfied" referencedObjective="gone"/></imsss:ruleConditions>',
          ),
        ),
        page,
        version,
      ),
      found('objective-unknown', 'objective gone', inManifest(7)),
    ],
    [
      'sequencing that does not exist',
      makeManifest(itemWith('<imsss:sequencing IDRef="gone"/>'), page, version),
      found('sequencing-unknown', 'no sequencing gone', inManifest(7)),
    ],
    [
      'limits of time',
      makeManifest(sequenced('<imsss:limitConditions endTimeLimit="2027-01-01"/>'), page, version),
      found('time-limits', '(item)', inManifest(7)),
    ],
    [
      'auxiliary resources',
      makeManifest(
        sequenced(
          '<imsss:auxiliaryResources><imsss:auxiliaryResource/></imsss:auxiliaryResources>',
        ),
        page,
        version,
      ),
      found('auxiliary-resources', '(item)', inManifest(7)),
    ],
    [
      'an asset that calls the API',
      makeManifest(item, page.replace('"sco"', '"asset"')),
      found('asset-calls-api', '(item)', { file: 'page.html' }),
    ],
  ])('finds %s', async (_, manifest, expected) => {
    expect(await checkMade(manifest)).toContainEqual(expected);
  });

  it.each<[string, Record<string, string>, ReturnType<typeof found>]>([
    [
      'a course that never calls the API',
      { 'page.html': '<p>Read this</p>' },
      found('no-api-use', 'calls the SCORM API', { file: 'page.html' }),
    ],
    [
      'an image that browsers block',
      { 'page.html': `${call}\n<p>\n<img alt=""\nsrc="http://example.com/a.png">` },
      found('mixed-content', 'page.html loads http://example.com/a.png', { line: 4 }),
    ],
    [
      'a style sheet that browsers block',
      { 'page.html': `${call}<link href="http://example.com/a.css" rel="stylesheet">` },
      found('mixed-content', 'page.html loads http://example.com/a.css', { line: 1 }),
    ],
    [
      'a style that browsers block',
      { 'a.css': 'body {}\np { background: url(http://example.com/a.png) }' },
      found('mixed-content', 'a.css loads http://example.com/a.png', { file: 'a.css', line: 2 }),
    ],
    [
      'files that browsers do not run',
      { 'movie.swf': '' },
      found('file-type', 'movie.swf', { file: 'movie.swf' }),
    ],
    [
      'files of the operating system',
      { '__MACOSX/._page.html': '' },
      found('system-files', '__MACOSX/._page.html'),
    ],
  ])('finds %s', async (_, files, expected) => {
    expect(await checkMade(makeManifest(item, page), files)).toContainEqual(expected);
  });

  it('a package with a script of another host, or with one that is too large, may call the API', async () => {
    const manifest = makeManifest(item, page);
    const remote = '<script src="https://example.com/driver.js"></script>';
    expect(await checkMade(manifest, { 'page.html': remote })).toEqual([]);
    const large = randomBytes(4_200_000);
    expect(await checkMade(manifest, { 'page.html': '', 'driver.js': large })).toEqual([]);
    const inScript = { 'page.html': '', 'js/driver.js': 'window.API_1484_11' };
    expect(await checkMade(manifest, inScript)).toEqual([]);
  });

  it('finds nothing in links, and in addresses that come by https', async () => {
    const text = `${call}<link rel="canonical" href="http://example.com/a"><a href="http://example.com/"><img src="https://example.com/a.png"></a>`;
    expect(await checkMade(makeManifest(item, page), { 'page.html': text })).toEqual([]);
  });

  it('shows texts of a manifest in one line, without what a database cannot store', async () => {
    const reference = `a&#10;b&#10;c${'d'.repeat(3000)}`;
    const findings = await checkMade(makeManifest(item.replace('"page"', `"${reference}"`), page));
    expect(findings).toMatchObject([{ rule: 'resource-unknown' }]);
    expect(findings[0]?.message).toMatch(/^The manifest contains no resource a b cd+…$/);
    expect(findings[0]?.message).toHaveLength(1024);
  });

  it('names all errors of a package at once, before its warnings', async () => {
    const manifest = makeManifest(
      `<item identifier="a" identifierref="none"/>${itemWith('<adlcp:masteryscore>x</adlcp:masteryscore>')}${item}`,
      page.replace('page.html', 'gone.html'),
    );
    const findings = await checkMade(manifest);
    expect(findings.map(({ rule }) => rule)).toEqual([
      'resource-unknown',
      'launch-missing',
      'item-identifier',
      'value-out-of-range',
    ]);
  });

  it('shows a hundred findings, errors first, and says how many more there are', async () => {
    const files = Array.from({ length: 150 }, (_, at) => `<file href="${at}.js"/>`).join('');
    const manifest = makeManifest(
      '<item identifier="a" identifierref="none"/>',
      page.replace('/>', `>${files}</resource>`),
    );
    const findings = await checkMade(manifest);
    expect(findings).toHaveLength(shownFindings + 1);
    expect(findings[0]).toMatchObject({ rule: 'resource-unknown' });
    expect(findings.at(-1)).toEqual(
      found('more-findings', '51 more findings are not shown, 0 of them errors.'),
    );
  });

  it('every rule has an anchor and its remedy in docs/course-check.md', async () => {
    const text = await readFile(
      new URL('../../../../docs/course-check.md', import.meta.url),
      'utf8',
    );
    const rows = [...text.matchAll(/^\| <a id="([\w-]+)"><\/a>`\1` \| [^|]+ \| ([^|]+) \|$/gm)];
    const documented = Object.fromEntries(rows.map(([, rule = '', remedy = '']) => [rule, remedy]));
    const remedies = Object.entries(packageRules).map(([rule, { remedy }]) => [rule, remedy]);
    expect(documented).toEqual(Object.fromEntries(remedies));
  });

  it('a check runs in its own process, which is ended when its time is over', async () => {
    const bad = await makeZip({ 'imsmanifest.xml': makeManifest(item, ''), 'page.html': call });
    const good = await makeZip({ 'imsmanifest.xml': makeManifest(item, page), 'page.html': call });
    const inProcess = (zip: Buffer, manifestMs: number) =>
      withDescriptor(zip, async (file) => {
        using reader = new PackageReader(file, 'check', { ...readerLimits, manifestMs });
        return await reader.check().catch((error: unknown) => {
          if (error instanceof PackageError) return error.findings;
          throw error;
        });
      });
    expect(await inProcess(good, 280_000)).toEqual([]);
    expect(await inProcess(bad, 280_000)).toEqual([found('resource-unknown', 'page')]);
    expect(await inProcess(good, 1)).toEqual([
      found('package-too-complex', 'more than 0.001 s to read'),
    ]);
  });
});
