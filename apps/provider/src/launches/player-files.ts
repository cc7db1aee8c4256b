import '@fastify/static';
import type { FastifyReply } from 'fastify';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentType } from '../packages/content-type.ts';
import { originHeaders, pageHeaders } from './page-headers.ts';

const playerDirectory = join(import.meta.dirname, '../player');
const libraryFile = (specifier: string) => fileURLToPath(import.meta.resolve(specifier));

/** The files of the player that browsers may load: its own, and the run-time library's builds. */
const paths = new Map([
  ...readdirSync(playerDirectory)
    .filter((name) => /^[a-z-]+\.(?:css|js)$/.test(name))
    .map((name) => [name, join(playerDirectory, name)] as const),
  ['scorm-12.js', libraryFile('scorm-again/scorm12/min')],
  ['scorm-2004.js', libraryFile('scorm-again/scorm2004/min')],
]);

/** Caches must revalidate, so that a page never gets the files of another release. */
const headers = { ...originHeaders, 'cache-control': 'no-cache' };

/** Sends a file of the player, or 304 if the browser has it. Returns false if there is no such file. */
export function sendPlayerFile(reply: FastifyReply, name: string): boolean {
  const path = paths.get(name);
  if (path === undefined) return false;
  void reply
    .headers(headers)
    .type(`${contentType(name)}; charset=utf-8`)
    .sendFile(basename(path), dirname(path), { cacheControl: false, contentType: false });
  return true;
}

/** Sends the page of a course window. It is never cached, because its URL grants access. */
export function sendPlayerPage(reply: FastifyReply): void {
  void reply
    .headers(pageHeaders)
    .type('text/html; charset=utf-8')
    .sendFile('player.html', playerDirectory, {
      acceptRanges: false,
      cacheControl: false,
      contentType: false,
      etag: false,
      lastModified: false,
    });
}
