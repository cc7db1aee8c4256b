import { makeManifest, makeZip } from '@registrar/provider/testing';
import { randomBytes } from 'node:crypto';

/** The largest manifest that is read: bytes. */
const maxManifestBytes = 4 * 1024 * 1024;

const page = '<resource identifier="page" adlcp:scormtype="sco" href="page.html"/>';
const item = '<item identifier="item" identifierref="page"><title>Page</title></item>';
const valid = makeManifest(item, page);

/** Random, since a file that compresses too well is refused before it is read. */
const incompressible = `<!--${randomBytes(22_000).toString('hex')}-->`;
const restBytes = maxManifestBytes - valid.length - incompressible.length - 1_000;

/** As many parts as fit into the largest manifest. */
const fill = (part: string) => part.repeat(restBytes / part.length);
const numbered = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join('');

const withContent = (content: string) =>
  valid.replace('</manifest>', `${incompressible}<metadata>${content}</metadata></manifest>`);

/** Each of the items repeats the objectives that all of them refer to. */
const sharedObjectives = makeManifest(
  numbered(
    20_000,
    (n) => `<item identifier="i${n}" identifierref="page"><imsss:sequencing IDRef="s"/></item>`,
  ),
  page,
  '2004 4th Edition',
).replace(
  '</manifest>',
  `<imsss:sequencingCollection><imsss:sequencing ID="s"><imsss:objectives>${numbered(
    20_000,
    (n) => `<imsss:objective objectiveID="o${n}"/>`,
  )}</imsss:objectives></imsss:sequencing></imsss:sequencingCollection></manifest>`,
);

/** Packages of at most a few hundred KiB that take much memory or time to read, by what they are made of. */
export async function hostilePackages(): Promise<ReadonlyMap<string, Buffer>> {
  const manifests = {
    elements: withContent(fill('<a/>')),
    attributes: withContent(`<a ${numbered(250_000, (n) => `a${n.toString(36)}="" `)}/>`),
    texts: withContent(fill('&amp;')),
    depth: withContent(fill('<a>')),
    objectives: sharedObjectives,
  };
  const packages = new Map<string, Buffer>();
  for (const [name, manifest] of Object.entries(manifests)) {
    packages.set(name, await makeZip({ 'imsmanifest.xml': manifest, 'page.html': '' }));
  }
  packages.set('scripts', await pagesOfScripts());
  return packages;
}

/** Assets that are searched for scripts: from each one, the search reads on to the end of its page. */
async function pagesOfScripts(): Promise<Buffer> {
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const manifest = makeManifest(
    numbers.map((n) => `<item identifier="i${n}" identifierref="p${n}"/>`).join(''),
    numbers.map((n) => `<resource identifier="p${n}" href="${n}.html"/>`).join(''),
  );
  const pages = numbers.map((n) => [`${n}.html`, '<script '.repeat(65_000)]);
  return makeZip({
    'imsmanifest.xml': manifest,
    'random.bin': randomBytes(60_000),
    ...(Object.fromEntries(pages) as Record<string, string>),
  });
}
