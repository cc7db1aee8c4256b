import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Makes a zip file of these files, in this order, with this Unix mode. */
export async function makeZip(
  files: Readonly<Record<string, string | Buffer>>,
  mode = 0o100644,
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(content), path, { mode });
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** Replaces a file's name in a zip file by one of the same length that yazl would not write. */
export function renameInZip(zip: Buffer, from: string, to: string): Buffer {
  if (from.length !== to.length) throw new Error('the names must be of one length');
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
}

/** Runs `work` with a temporary file of that content. */
export async function withFile<T>(content: Buffer, work: (path: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'provider-spec-'));
  try {
    const path = join(directory, 'package.zip');
    await writeFile(path, content);
    return await work(path);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Runs `work` with the descriptor of a temporary file of that content. */
export const withDescriptor = <T>(
  content: Buffer,
  work: (descriptor: number) => Promise<T>,
): Promise<T> =>
  withFile(content, async (path) => {
    await using file = await open(path);
    return await work(file.fd);
  });

/** Makes a manifest with these items; `standard` decides the version and the namespaces. */
export function makeManifest(
  items: string,
  resources: string,
  standard: '1.2' | '2004 3rd Edition' | '2004 4th Edition' = '1.2',
): string {
  const old = standard === '1.2';
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="made" xmlns="${old ? 'http://www.imsproject.org/xsd/imscp_rootv1p1p2' : 'http://www.imsglobal.org/xsd/imscp_v1p1'}"
  xmlns:adlcp="${old ? 'http://www.adlnet.org/xsd/adlcp_rootv1p2' : 'http://www.adlnet.org/xsd/adlcp_v1p3'}"
  xmlns:imsss="http://www.imsglobal.org/xsd/imsss" xmlns:adlseq="http://www.adlnet.org/xsd/adlseq_v1p3" xmlns:adlnav="http://www.adlnet.org/xsd/adlnav_v1p3">
  <metadata><schema>ADL SCORM</schema><schemaversion>${standard}</schemaversion></metadata>
  <organizations default="org"><organization identifier="org"><title>Made course</title>
    ${items}
  </organization></organizations>
  <resources>${resources}</resources>
</manifest>`;
}

/** Makes the smallest valid package: a manifest and one page. */
export const smallestPackage = (title = 'Made course'): Promise<Buffer> =>
  makeZip({
    'imsmanifest.xml': makeManifest(
      '<item identifier="item" identifierref="page"><title>Page</title></item>',
      '<resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="page.html"/>',
    ).replace('Made course', title),
    'page.html': '<!doctype html><title>Page</title><p>Hello</p>',
  });
