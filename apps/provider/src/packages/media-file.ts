import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { escapeHtml } from '../launches/html.ts';
import { bareActivity, type CourseStructure } from './course-structure.ts';
import type { CoursePackage } from './open-package.ts';
import { ImportError } from './package-error.ts';
import { packageLimits } from './package-limits.ts';
import { batchesOf, type PackageBatch } from './package-pieces.ts';
import type { StorableManifest } from './reader-messages.ts';

interface MediaType {
  /** The path of the file in the package. */
  readonly path: string;
  /** How the page of the course shows it; the fallback is a link to it. */
  readonly show: (fallback: string) => string;
  /** Whether a file can be of this type, by its first bytes: a character for each. */
  readonly begins: RegExp;
}

/** The media files that become courses, by their types in the API. */
export const mediaTypes = {
  'application/pdf': {
    path: 'document.pdf',
    show: (fallback) => `<object data="document.pdf" type="application/pdf">${fallback}</object>`,
    begins: /%PDF-/,
  },
  'audio/mpeg': {
    path: 'audio.mp3',
    show: (fallback) => `<audio src="audio.mp3" controls>${fallback}</audio>`,
    begins: /^(?:ID3|\u00ff[\u00e2-\u00ff])/,
  },
  'video/mp4': {
    path: 'video.mp4',
    show: (fallback) => `<video src="video.mp4" controls>${fallback}</video>`,
    begins: /^.{4}ftyp/s,
  },
} as const satisfies Readonly<Record<string, MediaType>>;

/** A media file that is to become a course of one page. */
export interface Media {
  readonly type: keyof typeof mediaTypes;
  readonly title: string;
  readonly description: string;
}

/** The bytes in which a file must show its type: PDF readers accept as many before the header. */
const headBytes = 1024;

const pagePath = 'index.html';

/** A package of a media file, before it is stored. */
export interface MediaPackage {
  readonly manifest: StorableManifest;
  readonly batches: AsyncIterable<PackageBatch>;
}

/**
 * Makes a course of a media file: a page that shows it, and that is completed when it is opened.
 *
 * @param file the descriptor of the file, which stays open
 * @throws {ImportError} if the file is not of its type, or too large
 */
export async function readMediaFile(
  file: number,
  size: number,
  media: Media,
): Promise<MediaPackage> {
  const { path, begins }: MediaType = mediaTypes[media.type];
  if (size > packageLimits.fileBytes) {
    throw new ImportError(`The file is larger than ${packageLimits.fileBytes} bytes.`);
  }
  const read = (end: number) => createReadStream('', { fd: file, start: 0, end, autoClose: false });
  const head = size > 0 ? await buffer(read(headBytes - 1)) : Buffer.of();
  if (!begins.test(head.toString('latin1'))) {
    throw new ImportError(`The file is not of the type ${media.type}.`);
  }
  const page = Buffer.from(pageOf(media));
  const coursePackage: CoursePackage = {
    sizes: new Map([
      [pagePath, page.length],
      [path, size],
    ]),
    find: (name) => name,
    stream: async (name) => (name === pagePath ? Readable.from([page]) : read(size - 1)),
    read: async () => page,
  };
  const structure = JSON.stringify(structureOf(media));
  const manifest = { title: media.title, structure, warnings: [] };
  return { manifest, batches: batchesOf(coursePackage) };
}

function structureOf({ title, description }: Media): CourseStructure {
  const resource = { id: 'page', href: pagePath, type: 'ASSET' } as const;
  const item = bareActivity({ id: 'item', title, resource });
  return {
    standard: 'UNKNOWN',
    root: bareActivity({ id: 'course', title, children: [item] }),
    metadata: { title, description, duration: '', typicalTime: '', keywords: [] },
  };
}

const pageOf = ({ type, title }: Media): string => {
  const { path, show }: MediaType = mediaTypes[type];
  return `<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
  html, body { height: 100%; margin: 0; }
  body { display: grid; place-items: center; font-family: system-ui, sans-serif; }
  object { width: 100%; height: 100%; }
  audio, video { max-width: 100%; max-height: 100%; }
</style>
${show(`<a href="${path}" target="_blank">${escapeHtml(title)}</a>`)}
`;
};
