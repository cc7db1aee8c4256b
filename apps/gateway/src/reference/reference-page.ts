import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { operations } from '../operations/all-operations.ts';
import { openApi } from './open-api.ts';

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/files/swagger-ui.css" />
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/files/swagger-ui-bundle.js"></script>
    <script src="/docs/show.js"></script>
  </body>
</html>
`;

const show = (document: string) =>
  `SwaggerUIBundle({ url: ${JSON.stringify(document)}, dom_id: '#reference', validatorUrl: null });\n`;

/** The page loads nothing from elsewhere; its renderer writes styles of its own. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the OpenAPI document under the API root, and a page that shows it at `/docs`. */
export function serveReference(server: FastifyInstance, apiRoot: string): void {
  const document = `${apiRoot}/openapi.json`;
  const text = JSON.stringify(openApi(operations, apiRoot));
  server.get(document, (_request, reply) =>
    reply.header('access-control-allow-origin', '*').type('application/json').send(text),
  );
  server.get('/docs', (_request, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page),
  );
  server.get('/docs/show.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(show(document)),
  );
  const renderer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  void server.register(staticFiles, { root: renderer, prefix: '/docs/files/', index: false });
}
