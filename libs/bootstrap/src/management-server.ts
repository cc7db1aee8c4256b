import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { registerBuildInfo } from './build-info.ts';
import type { Health } from './health.ts';

/** The server of an app's health and metrics (docs/operations.md, Monitoring). */
export interface ManagementServer {
  /** The base URL, such as `http://localhost:9090`. */
  readonly url: string;
  close(): Promise<void>;
}

interface ManagementResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** The response of a health check: 200 without faults, otherwise 503. */
const healthResponse = (faults: readonly string[]): ManagementResponse => ({
  status: faults.length === 0 ? 200 : 503,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ ok: faults.length === 0, faults }),
});

/**
 * Serves an app's health and metrics on a port of their own, which must not be public.
 *
 * @param options.port 0 lets the system choose
 * @throws {Error} when the port is in use
 */
export async function startManagementServer(options: {
  port: number;
  health: Health;
  registry: Registry;
}): Promise<ManagementServer> {
  const { port, health, registry } = options;
  // Metrics of the process: memory, processor, event loop, garbage collection.
  collectDefaultMetrics({ register: registry });
  registerBuildInfo(registry);
  registerReadiness(registry, health);
  const routes: Readonly<Record<string, () => Promise<ManagementResponse>>> = {
    // Always 200: a restart would not help an app that waits for its database.
    '/health/live': async () => healthResponse([]),
    '/health/startup': async () => healthResponse(health.hasStarted ? [] : ['the app is starting']),
    '/health/ready': async () => healthResponse(await health.faults()),
    '/metrics': async () => ({
      status: 200,
      type: registry.contentType,
      body: await registry.metrics(),
    }),
  };
  const server = createServer((request, response) => {
    const respond = request.method === 'GET' ? routes[request.url ?? ''] : undefined;
    if (respond) void send(response, respond);
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

/** Exports the result of `/health/ready` as a metric, for alerts. */
function registerReadiness(registry: Registry, health: Health): void {
  new Gauge({
    name: 'registrar_ready',
    help: '1 if the app is ready, otherwise 0.',
    registers: [registry],
    async collect() {
      this.set((await health.faults()).length === 0 ? 1 : 0);
    },
  });
}

async function listening(server: Server, port: number): Promise<void> {
  // Rejects if the server emits 'error' first.
  const isListening = once(server, 'listening');
  server.listen(port, '::');
  await isListening;
}

async function send(
  response: ServerResponse,
  respond: () => Promise<ManagementResponse>,
): Promise<void> {
  try {
    const { status, type, body } = await respond();
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  } catch {
    response.writeHead(500).end();
  }
}
