import multipart from '@fastify/multipart';
import { FastifyAdapter } from '@nestjs/platform-fastify';

/** The most that a body without a file, or a field of a form, may hold: bytes. */
const bodyLimit = 8 * 1024 * 1024;
/** Lists of learners come in the query string too. */
const maxHeaderSize = 256 * 1024;

/** The HTTP server of the edge. */
export function edgeAdapter(): FastifyAdapter {
  const adapter = new FastifyAdapter({
    forceCloseConnections: 'idle',
    bodyLimit,
    routerOptions: { maxParamLength: 300 },
    http: { maxHeaderSize },
  });
  // The catalog bounds the size of packages.
  const limits = { fieldSize: bodyLimit, files: 1, fileSize: Infinity };
  void adapter.getInstance().register(multipart, { limits });
  return adapter;
}
