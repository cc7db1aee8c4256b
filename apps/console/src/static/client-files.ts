import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { contentPolicy } from '../http/security-headers.ts';

/** The built client. */
const directory = join(import.meta.dirname, '../../dist/client');

/** What `index.html` has in place of the nonce of its styles, and of the path under which the console is served. */
const placeholders = { nonce: '__NONCE__', base: '__BASE__' } as const;

const maxAgeSeconds = 31_536_000;

/**
 * Serves the built client: the files in `assets`, whose names change with their content, and its page under every other
 * path outside of `api`, with a nonce of its own in each response.
 *
 * @param prefix the path under which the console serves everything
 * @param issuer the identity provider's origin; undefined without one
 */
export async function serveClient(
  server: FastifyInstance,
  { prefix, issuer }: { readonly prefix: string; readonly issuer: string | undefined },
): Promise<void> {
  const assets = join(directory, 'assets');
  if (existsSync(assets)) {
    await server.register(fastifyStatic, {
      root: assets,
      prefix: `${prefix}/assets/`,
      preCompressed: true,
      index: false,
      immutable: true,
      maxAge: maxAgeSeconds * 1_000,
      decorateReply: false,
    });
  }
  const page = await readFile(join(directory, 'index.html'), 'utf8').catch(() => null);
  server.get(`${prefix}/*`, async (request, reply) => {
    const path = request.url.slice(prefix.length);
    if (path.startsWith('/api/')) {
      const failure = { code: 'not-found', message: 'no such path', requestId: request.id };
      return reply.status(404).header('cache-control', 'no-store').send(failure);
    }
    if (page === null) {
      return reply.status(503).type('text/plain').send('The client of the console is not built.\n');
    }
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': contentPolicy(nonce, issuer),
      })
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(placeholders.nonce, nonce).replaceAll(placeholders.base, `${prefix}/`));
  });
  // Relative paths of the page begin at a slash.
  if (prefix !== '') server.get(prefix, (_request, reply) => reply.redirect(`${prefix}/`, 308));
}
