import staticFiles from '@fastify/static';
import { type Format, formats } from '@registrar/formats';
import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import swaggerUiPath from 'swagger-ui-dist/absolute-path.js';
import { operations } from '../operations/operation-table.ts';
import { guidesPath } from './contract-links.ts';
import { Guides } from './guides.ts';
import { openApi } from './open-api.ts';

/** The guides that the page links to, in docs/. */
const guides = {
  'first-hour.md': 'First hour',
  'contract/README.md': 'Contract, rule by rule',
  'clients.md': 'Generated clients',
  'queries.md': 'Stored queries',
  'operations.md': 'Operations',
  'operator.md': 'Command line',
} as const;

const links = Object.entries(guides).map(
  ([path, title]) => `<a href="${guidesPath}/${path}">${title}</a>`,
);

/** The path of the document of a format. */
const documentPath = (apiRoot: string, format: Format) =>
  `${apiRoot}/openapi${format === 'json' ? '' : `-${format}`}.json`;

const page = (apiRoot: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Registrar API reference</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/files/swagger-ui.css" />
    <style>
      header { display: flex; flex-wrap: wrap; gap: 1.5rem; max-width: 1460px; margin: auto; padding: 1rem 20px; font: 16px sans-serif }
      nav { display: flex; flex-wrap: wrap; gap: 1rem }
      .samples { padding: 0 20px 10px }
      .samples button { margin-right: 0.5rem; padding: 0.25rem 0.75rem; border: 1px solid #888; background: none; cursor: pointer }
      .samples button[aria-selected="true"] { background: #333; color: #fff }
      .samples pre { overflow-x: auto; padding: 10px; background: #333; color: #fff; font-size: 12px }
    </style>
  </head>
  <body>
    <header>
      <strong>Registrar</strong>
      <nav aria-label="Guides">${links.join(' ')}</nav>
      <label>Format <select id="format">${formats
        .map(
          (format) =>
            `<option value="${documentPath(apiRoot, format)}">${format.toUpperCase()}</option>`,
        )
        .join('')}</select></label>
      <output id="items"></output>
    </header>
    <div id="reference"></div>
    <script src="/docs/files/swagger-ui-bundle.js"></script>
    <script type="module" src="/docs/show.js"></script>
  </body>
</html>
`;

const script = readFileSync(new URL('./show.js', import.meta.url), 'utf8');

/** The pages load nothing from other origins. Swagger UI needs inline styles. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The client package and its dependency, as modules for pages that no bundler builds. */
const clientModules = { '/docs/client/': '@registrar/client', '/docs/client/ky/': 'ky' } as const;

/**
 * Serves the OpenAPI documents below the API root, Swagger UI at `/docs`, the guides as pages, and the client package
 * for browsers.
 */
export function serveReference(server: FastifyInstance, apiRoot: string): void {
  for (const format of formats) {
    const text = JSON.stringify(openApi(operations, apiRoot, format));
    server.get(documentPath(apiRoot, format), (_request, reply) =>
      reply.header('access-control-allow-origin', '*').type('application/json').send(text),
    );
  }
  server.get('/docs', (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(page(apiRoot)),
  );
  server.get('/docs/show.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  );
  const pages = new Guides();
  server.get<{ Params: { '*': string } }>(`${guidesPath}/*`, (request, reply) => {
    const guide = pages.page(request.params['*']);
    if (guide === null) return reply.callNotFound();
    return reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(guide);
  });
  void server.register(staticFiles, {
    root: swaggerUiPath(),
    prefix: '/docs/files/',
    index: false,
  });
  for (const [prefix, name] of Object.entries(clientModules)) {
    void server.register(staticFiles, {
      root: dirname(fileURLToPath(import.meta.resolve(name))),
      prefix,
      index: false,
      decorateReply: false,
      setHeaders: (reply) => void reply.header('access-control-allow-origin', '*'),
    });
  }
}
