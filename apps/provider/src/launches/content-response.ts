import type { IncomingHttpHeaders } from 'node:http';
import { contentType } from '../packages/content-type.ts';
import type { FileRange } from '../packages/read-package-file.ts';
import { byteRange } from './byte-range.ts';
import type { ContentFile } from './find-content.ts';
import { originHeaders } from './page-headers.ts';

/**
 * A file belongs to one version of a course and never changes. What the browser keeps is no response to the request for
 * a service worker, which is refused.
 */
const contentHeaders = {
  ...originHeaders,
  'accept-ranges': 'bytes',
  'cache-control': 'private, max-age=31536000, immutable',
  'referrer-policy': 'same-origin',
  vary: 'Accept-Encoding, Service-Worker',
};

/** A response with a file of a course, before its body. */
export interface ContentResponse {
  readonly status: 200 | 206 | 304 | 416;
  readonly headers: Readonly<Record<string, string | number>>;
  /** The bytes of the body; null if there is none. */
  readonly range: FileRange | null;
}

/**
 * Decides how a file of a course is sent: whole, a range of it, or not at all because the client has it.
 *
 * @param headers of the request
 * @param path the requested path, which names the media type
 */
export function contentResponse(
  headers: IncomingHttpHeaders,
  file: ContentFile,
  path: string,
): ContentResponse {
  // Each coding of a file has a tag of its own, which no other file ever has (RFC 9110, section 8.8.3).
  const etag = `"${file.id}"`;
  const common = { ...contentHeaders, etag };
  if (isAmong(etag, headers['if-none-match'])) return { status: 304, headers: common, range: null };
  const ifRange = headers['if-range'];
  const isOfThis = ifRange === undefined || ifRange === etag;
  const range = byteRange(isOfThis ? headers.range : undefined, file.size);
  if (range === 'unsatisfiable') {
    const unsatisfied = { ...common, 'content-range': `bytes */${file.size}` };
    return { status: 416, headers: unsatisfied, range: null };
  }
  const { first, last } = range ?? { first: 0, last: file.size - 1 };
  return {
    status: range ? 206 : 200,
    headers: {
      ...common,
      ...(range && { 'content-range': `bytes ${first}-${last}/${file.size}` }),
      ...(file.encoding !== 'identity' && { 'content-encoding': file.encoding }),
      'content-type': contentType(path),
      'content-length': last - first + 1,
    },
    range: { first, last },
  };
}

/** Whether an `If-None-Match` header names a tag (RFC 9110, section 13.1.2). */
const isAmong = (tag: string, header: string | undefined): boolean =>
  (header ?? '').split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim()));
