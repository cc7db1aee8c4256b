import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import swaggerUiPath from 'swagger-ui-dist/absolute-path.js';
import { operations } from '../operations/operation-table.ts';
import { openApi } from './open-api.ts';

/** The guides that the page links to, in docs/. */
const guides = {
  'contract/README.md': 'Contract, rule by rule',
  'queries.md': 'Stored queries',
  'operations.md': 'Operations',
  'operator.md': 'Command line',
} as const;
const guidesDirectory = fileURLToPath(new URL('../../../../docs/', import.meta.url));

const links = Object.entries(guides).map(
  ([path, title]) => `<a href="/docs/guides/${path}">${title}</a>`,
);

const page = (document: string) => `<!doctype html>
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
    </style>
  </head>
  <body>
    <header>
      <strong>Registrar</strong>
      <nav aria-label="Guides">${links.join(' ')}</nav>
    </header>
    <div id="reference" data-open-api="${document}"></div>
    <script src="/docs/files/swagger-ui-bundle.js"></script>
    <script src="/docs/show.js"></script>
  </body>
</html>
`;

const script = readFileSync(new URL('./show.js', import.meta.url), 'utf8');

/** The page loads nothing from other origins. Swagger UI needs inline styles. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the OpenAPI document below the API root, Swagger UI at `/docs`, and the guides as text. */
export function serveReference(server: FastifyInstance, apiRoot: string): void {
  const document = `${apiRoot}/openapi.json`;
  const text = JSON.stringify(openApi(operations, apiRoot));
  server.get(document, (_request, reply) =>
    reply.header('access-control-allow-origin', '*').type('application/json').send(text),
  );
  server.get('/docs', (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(page(document)),
  );
  server.get('/docs/show.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  );
  void server.register(staticFiles, {
    root: swaggerUiPath(),
    prefix: '/docs/files/',
    index: false,
  });
  void server.register(staticFiles, {
    root: guidesDirectory,
    prefix: '/docs/guides/',
    index: false,
    decorateReply: false,
    setHeaders: (reply) => void reply.header('content-type', 'text/plain; charset=utf-8'),
  });
}
