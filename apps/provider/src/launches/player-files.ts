import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  compress,
  compressedEncodings,
  type ContentEncoding,
} from '../packages/content-encoding.ts';
import { contentType } from '../packages/content-type.ts';
import { acceptedEncodings } from './accepted-encodings.ts';
import { originHeaders } from './page-headers.ts';

/** The folder of the player's sources. */
export const playerDirectory = join(import.meta.dirname, '../player');
const libraryFile = (specifier: string) =>
  readFileSync(fileURLToPath(import.meta.resolve(specifier)));

/** The files of the player that browsers may load, by name: its own, and the run-time library's builds. */
const files = new Map([
  ...readdirSync(playerDirectory)
    .toSorted()
    .filter((name) => /^[a-z-]+\.(?:css|js)$/.test(name))
    .map((name) => [name, readFileSync(join(playerDirectory, name))] as const),
  ['scorm-12.js', libraryFile('scorm-again/scorm12/min')],
  ['scorm-2004.js', libraryFile('scorm-again/scorm2004/min')],
]);

/** Names these files: another release has another one, so that browsers may keep the files forever. */
const release = [...files]
  .reduce(
    (hash, [name, bytes]) => hash.update(`${name} ${bytes.length} `).update(bytes),
    createHash('sha256'),
  )
  .digest('hex')
  .slice(0, 16);

/** The path of the player's files, from the root of the provider. */
export const playerPath = `player/${release}`;

/** In each coding that makes them smaller, compressed once, at the start. */
const variants = new Map(
  [...files].map(([name, bytes]) => [
    name,
    new Map<ContentEncoding, Buffer>([
      ...compressedEncodings.flatMap((encoding) => {
        const compressed = compress(bytes, encoding);
        return compressed ? [[encoding, compressed] as const] : [];
      }),
      ['identity', bytes],
    ]),
  ]),
);

/** Sends a file of the player. Returns false if there is no such file. */
export function sendPlayerFile(
  reply: FastifyReply,
  { of, name }: { readonly of: string; readonly name: string },
): boolean {
  const bodies = variants.get(name);
  if (!bodies) return false;
  const encoding = acceptedEncodings(reply.request).find((each) => bodies.has(each)) ?? 'identity';
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  void reply
    .headers(originHeaders)
    // During an upgrade, the page may be that of another release.
    .header('cache-control', of === release ? 'public, max-age=31536000, immutable' : 'no-store')
    .header('vary', 'Accept-Encoding')
    .type(`${contentType(name)}; charset=utf-8`)
    .send(bodies.get(encoding));
  return true;
}
