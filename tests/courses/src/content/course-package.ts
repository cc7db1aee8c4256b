import { makeManifest, makeZip } from '@registrar/provider/testing';
import { isScorm12, type Standard } from '../standards.ts';
import { lmsScript, slidesScript } from './lms-script.ts';

/** A part of a course, and the page that it opens. */
export interface PackagePart {
  readonly title: string;
  readonly href: string;
}

/** The title of the only part of most packages, which is also that of its frame in the player. */
export const partTitle = 'Part';

/** A page with a script, in the package of a standard. */
export const page = (standard: Standard, script: string, body = ''): string =>
  `<!doctype html><meta charset="utf-8"><title>Page</title><body>${body}
<script>${(lmsScript(standard) + slidesScript + script).replaceAll('</script', '<\\/script')}</script>`;

/** A page with frames or texts, and without a script. */
export const plainPage = (body: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Page</title><body>${body}`;

/** Builds a package in memory: its pages, and a manifest whose parts launch some of them. */
export function coursePackage(
  standard: Standard,
  files: Readonly<Record<string, string>>,
  parts: readonly PackagePart[] = [{ title: partTitle, href: 'index.html' }],
): Promise<Buffer> {
  const items = parts.map(
    ({ title }, at) =>
      `<item identifier="part-${at + 1}" identifierref="files-${at + 1}"><title>${title}</title></item>`,
  );
  const type = isScorm12(standard) ? 'adlcp:scormtype' : 'adlcp:scormType';
  const resources = parts.map(
    ({ href }, at) =>
      `<resource identifier="files-${at + 1}" type="webcontent" ${type}="sco" href="${href}"/>`,
  );
  const manifest = makeManifest(items.join(''), resources.join(''), standard);
  return makeZip({ 'imsmanifest.xml': manifest, ...files });
}
