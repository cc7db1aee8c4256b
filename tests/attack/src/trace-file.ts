import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';

/** A collector of traces, OTLP over HTTP as JSON, that writes each export request as a line of a file. */
export interface TraceFile {
  /** Value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  close(): Promise<void>;
}

export async function startTraceFile(path: string): Promise<TraceFile> {
  const file = createWriteStream(path);
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      file.write(`${body}\n`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      file.end();
      await finished(file);
    },
  };
}
