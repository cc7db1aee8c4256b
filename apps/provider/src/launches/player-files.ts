import { Injectable, type OnModuleInit } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { contentType } from '../packages/content-type.ts';

/** A file of the player, as browsers get it. */
export interface PlayerFile {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

const own = ['player.html', 'player.css', 'player.js', 'contents.js', 'reports.js', 'run-time.js'];
/** The run-time environment itself: the library's own build for browsers. */
const library = {
  'scorm-12.js': 'scorm-again/scorm12/min',
  'scorm-2004.js': 'scorm-again/scorm2004/min',
};

/** The files of the player page, read once: there are few of them, and they never change. */
@Injectable()
export class PlayerFiles implements OnModuleInit {
  readonly #files = new Map<string, PlayerFile>();

  async onModuleInit(): Promise<void> {
    const addresses = new Map([
      ...own.map((name) => [name, new URL(`../player/${name}`, import.meta.url).href] as const),
      ...Object.entries(library).map(([name, path]) => [name, import.meta.resolve(path)] as const),
    ]);
    for (const [name, address] of addresses) {
      const body = await readFile(new URL(address));
      const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
      this.#files.set(name, { type: `${contentType(name)}; charset=utf-8`, body, etag });
    }
  }

  find(name: string): PlayerFile | undefined {
    return this.#files.get(name);
  }
}
