import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Health } from './health.ts';

/** What an app tells whoever runs it (docs/operations.md, Monitoring). */
export interface ManagementServer {
  /** Such as `http://localhost:9090`. */
  readonly url: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Whether the answer is yes, and why not. */
const verdict = (faults: readonly string[]): Answer => ({
  status: faults.length === 0 ? 200 : 503,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ ok: faults.length === 0, faults }),
});

/**
 * Serves an app's health and metrics on a port of their own, which is not for the public.
 *
 * @param options.port 0 lets the system choose
 * @throws when the port cannot be had
 */
export async function startManagementServer(options: {
  port: number;
  health: Health;
  registry: Registry;
}): Promise<ManagementServer> {
  const { port, health, registry } = options;
  // Of the process: memory, processor, event loop, garbage collection.
  collectDefaultMetrics({ register: registry });
  showReadiness(registry, health);
  const answers: Readonly<Record<string, () => Promise<Answer>>> = {
    // That it answers is all: an app that waits for its database is not helped by a restart.
    '/health/live': async () => verdict([]),
    '/health/startup': async () => verdict(health.hasStarted ? [] : ['it starts']),
    '/health/ready': async () => verdict(await health.faults()),
    '/metrics': async () => ({
      status: 200,
      type: registry.contentType,
      body: await registry.metrics(),
    }),
  };
  const server = createServer((request, response) => {
    const answer = request.method === 'GET' ? answers[request.url ?? ''] : undefined;
    if (answer) void send(response, answer);
    else response.writeHead(404).end();
  });
  await listening(server, port);
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${chosen}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The verdict of `/health/ready` for alerts, which see metrics alone. */
function showReadiness(registry: Registry, health: Health): void {
  new Gauge({
    name: 'registrar_ready',
    help: 'Whether the app is ready for work: 1, or 0.',
    registers: [registry],
    async collect() {
      this.set((await health.faults()).length === 0 ? 1 : 0);
    },
  });
}

async function listening(server: Server, port: number): Promise<void> {
  // Rejects when the server says 'error' first.
  const isListening = once(server, 'listening');
  server.listen(port, '::');
  await isListening;
}

async function send(response: ServerResponse, answer: () => Promise<Answer>): Promise<void> {
  try {
    const { status, type, body } = await answer();
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  } catch {
    response.writeHead(500).end();
  }
}
