import { type BusApp, BusClient, type BusTransport, inProcessTransport } from '#libs/bus';
import { putApplication } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { createTestDatabase, testLogger } from '#libs/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startProvider } from './index.ts';

/** What the API answered. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, else text. */
  readonly body: Body;
}

/** An import job as the API tells it. */
export interface ImportJob {
  readonly jobId: string;
  readonly status: 'RUNNING' | 'COMPLETE' | 'ERROR';
  readonly message: string;
  readonly importResult?: unknown;
}

/** An application of a suite's own, and its calls of the API. */
export class Client {
  constructor(
    readonly baseUrl: string,
    readonly appId: string,
    readonly secretKey: string,
  ) {}

  /** The same application's calls of another process. */
  at(baseUrl: string): Client {
    return new Client(baseUrl, this.appId, this.secretKey);
  }

  get authorization(): string {
    return `Basic ${Buffer.from(`${this.appId}:${this.secretKey}`).toString('base64')}`;
  }

  async send<Body>(path: string, options: RequestInit = {}): Promise<Answer<Body>> {
    const response = await fetch(`${this.baseUrl}/api/v2/${path}`, {
      ...options,
      headers: { authorization: this.authorization, ...options.headers },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: body as Body };
  }

  get<Body>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Answer<Body>> {
    const search = new URLSearchParams(query).toString();
    return this.send<Body>(search ? `${path}?${search}` : path);
  }

  sendJson<Body>(method: 'POST' | 'PUT', path: string, body: unknown): Promise<Answer<Body>> {
    const headers = { 'content-type': 'application/json' };
    return this.send<Body>(path, { method, headers, body: JSON.stringify(body) });
  }

  delete(path: string): Promise<Answer> {
    return this.send(path, { method: 'DELETE' });
  }

  upload(
    courseId: string,
    zip: Uint8Array,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Answer<{ result: string; message?: string }>> {
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(zip)]), 'course.zip');
    const search = new URLSearchParams({ courseId, ...query }).toString();
    return this.send(`courses/importJobs/upload?${search}`, { method: 'POST', body: form });
  }

  /** Uploads a package and answers its import job once it is over. */
  async import(
    courseId: string,
    zip: Uint8Array,
    query: Readonly<Record<string, string>> = {},
  ): Promise<ImportJob> {
    const { status, body } = await this.upload(courseId, zip, query);
    if (status !== 200) throw new Error(`the upload got ${status}: ${JSON.stringify(body)}`);
    for (;;) {
      const job = await this.get<ImportJob>(`courses/importJobs/${body.result}`);
      if (job.body.status !== 'RUNNING') return job.body;
      await pause(10);
    }
  }

  /** Registers a learner and answers the registration's id. */
  async register(courseId: string, learnerId = 'learner@example.com'): Promise<string> {
    const registrationId = randomUUID();
    const learner = { id: learnerId, email: learnerId, firstName: 'Ada', lastName: 'Lovelace' };
    const registration = { courseId, registrationId, learner };
    const made = await this.sendJson('POST', 'registrations', registration);
    if (made.status !== 204) throw new Error(`the create got ${made.status}`);
    return registrationId;
  }
}

export type ProviderFixture = Awaited<ReturnType<typeof startProviderFixture>>;

/** Starts the provider on a database of its own and a port that the system chooses. */
export async function startProviderFixture() {
  const server = await createTestDatabase();
  const log = testLogger('provider');
  const transport = inProcessTransport();
  const start = (on: BusTransport, databaseUrl = server.url): Promise<BusApp & { url: string }> =>
    startProvider(
      { DATABASE_URL: databaseUrl, PROVIDER_PORT: 0, LOG_LEVEL: 'debug' },
      { transport: on, logger: log.logger },
    ) as Promise<BusApp & { url: string }>;
  const app = await start(transport);
  const replicas = new Set<BusApp>();
  const bus = app.get(BusClient);

  return {
    app,
    bus,
    url: app.url,
    database: app.get(Database),
    databaseUrl: server.url,
    lines: () => log.lines(),

    /** An account of its own; with a limit, it holds no more registrations than that. */
    async client(registrationLimit: number | null = null): Promise<Client> {
      const client = new Client(app.url, `app-${randomUUID()}`, randomUUID());
      const { appId, secretKey } = client;
      await bus.request(putApplication, { appId, name: 'Suite', secretKey, registrationLimit });
      return client;
    },

    /** Another process of the same installation, as far as a test can tell. */
    async replica(databaseUrl?: string): Promise<{ url: string; stop(): Promise<void> }> {
      const replica = await start(inProcessTransport(), databaseUrl);
      replicas.add(replica);
      const stop = async () => {
        if (replicas.delete(replica)) await replica.stop();
      };
      return { url: replica.url, stop };
    },

    async stop(): Promise<void> {
      for (const replica of replicas) await replica.stop();
      await app.stop();
      await server.drop();
    },
  };
}
