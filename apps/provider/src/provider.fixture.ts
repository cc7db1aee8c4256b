import type { HttpLimits, StartedApp } from '@registrar/bootstrap';
import { BusClient, type BusTransport, inProcessTransport } from '@registrar/bus';
import { putApplication } from '@registrar/contracts';
import { Database, sql, type Sql } from '@registrar/persistence';
import { createMigratedDatabase } from '@registrar/persistence/testing';
import { generateMasterKey } from '@registrar/platform';
import { testLogger, eventually } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { providerSettings, startProvider } from './index.ts';
import type { DownloadLimits } from './launches/downloads.ts';
import type { PostbackTimes } from './postbacks/postback-times.ts';
import { providerSchema } from './schema.ts';

/** Sends the head of a request, and returns the status of the response, without sending the body. */
export async function statusBeforeBody(
  url: string,
  requestLine: string,
  headers: readonly string[] = [],
): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const host = headers.some((header) => header.startsWith('host:')) ? [] : ['host: localhost'];
  const body = ['content-type: application/json', 'content-length: 500'];
  socket.write([requestLine, ...host, ...headers, ...body, '', ''].join('\r\n'));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer.toString())?.[1]);
}

/** A response of the API. */
export interface ApiResponse<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed if it is JSON, else text. */
  readonly body: Body;
}

/** An import job in the API. */
export interface ImportJob {
  readonly jobId: string;
  readonly status: 'RUNNING' | 'COMPLETE' | 'ERROR';
  readonly message: string;
  readonly importResult?: unknown;
}

/** An API client with the credentials of an application. */
export class Client {
  constructor(
    readonly baseUrl: string,
    readonly appId: string,
    readonly secretKey: string,
  ) {}

  /** A client of another replica with the same credentials. */
  at(baseUrl: string): Client {
    return new Client(baseUrl, this.appId, this.secretKey);
  }

  get authorization(): string {
    return `Basic ${Buffer.from(`${this.appId}:${this.secretKey}`).toString('base64')}`;
  }

  async send<Body>(path: string, options: RequestInit = {}): Promise<ApiResponse<Body>> {
    const response = await fetch(`${this.baseUrl}/api/v2/${path}`, {
      ...options,
      headers: { authorization: this.authorization, ...options.headers },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: body as Body };
  }

  get<Body>(
    path: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<ApiResponse<Body>> {
    const search = new URLSearchParams(query).toString();
    return this.send<Body>(search ? `${path}?${search}` : path);
  }

  sendJson<Body>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: unknown,
  ): Promise<ApiResponse<Body>> {
    const headers = { 'content-type': 'application/json' };
    return this.send<Body>(path, { method, headers, body: JSON.stringify(body) });
  }

  delete(path: string): Promise<ApiResponse> {
    return this.send(path, { method: 'DELETE' });
  }

  upload(
    courseId: string,
    zip: Uint8Array,
    query: Readonly<Record<string, string>> = {},
  ): Promise<ApiResponse<{ result: string; message?: string }>> {
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(zip)]), 'course.zip');
    const search = new URLSearchParams({ courseId, ...query }).toString();
    return this.send(`courses/importJobs/upload?${search}`, { method: 'POST', body: form });
  }

  /** Uploads a package and returns its import job when it has ended. */
  async import(
    courseId: string,
    zip: Uint8Array,
    query: Readonly<Record<string, string>> = {},
  ): Promise<ImportJob> {
    const { status, body } = await this.upload(courseId, zip, query);
    if (status !== 200) throw new Error(`the upload returned ${status}: ${JSON.stringify(body)}`);
    return this.importEnd(body.result);
  }

  async importJob(jobId: string): Promise<ImportJob> {
    return (await this.get<ImportJob>(`courses/importJobs/${jobId}`)).body;
  }

  /** Waits until an import job has ended. */
  importEnd(jobId: string): Promise<ImportJob> {
    return eventually(`import job ${jobId} has ended`, async () => {
      const job = await this.importJob(jobId);
      return job.status !== 'RUNNING' && job;
    });
  }

  /** Registers a learner and returns the registration's id. */
  async register(
    courseId: string,
    learnerId = 'learner@example.com',
    more: { readonly postBack?: object } = {},
  ): Promise<string> {
    const registrationId = randomUUID();
    const learner = { id: learnerId, email: learnerId, firstName: 'Ada', lastName: 'Lovelace' };
    const registration = { courseId, registrationId, learner, ...more };
    const { status } = await this.sendJson('POST', 'registrations', registration);
    if (status !== 204) throw new Error(`POST registrations returned ${status}`);
    return registrationId;
  }
}

/** How a suite starts the provider. */
export interface ProviderFixtureOptions {
  /** The setting `PROVIDER_CONTENT_URL`; without it, each launch has its own origin. */
  readonly contentUrl?: string;
  /** The setting `PROVIDER_POSTBACK_ORIGINS`. */
  readonly postbackOrigins?: string;
  /** The setting `PROVIDER_FETCH_ORIGINS`. */
  readonly fetchOrigins?: string;
  readonly postbacks?: Partial<PostbackTimes>;
  readonly limits?: Partial<HttpLimits>;
  readonly downloads?: Partial<DownloadLimits>;
  /** The bus, for a suite that stands for other contexts. */
  readonly transport?: BusTransport;
}

export type ProviderFixture = Awaited<ReturnType<typeof startProviderFixture>>;

/** Starts the provider with a database of its own, on a free port. */
export async function startProviderFixture({
  contentUrl,
  postbackOrigins,
  fetchOrigins,
  postbacks = {},
  limits: usualLimits = {},
  downloads = {},
  transport = inProcessTransport(),
}: ProviderFixtureOptions = {}) {
  const server = await createMigratedDatabase(providerSchema);
  const log = testLogger('provider');
  const directory = await mkdtemp(join(tmpdir(), 'provider-'));
  const keyFile = join(directory, 'launch.key');
  await writeFile(keyFile, generateMasterKey());
  const start = (
    on: BusTransport,
    databaseUrl = server.url,
    limits: Partial<HttpLimits> = usualLimits,
  ): Promise<StartedApp & { url: string }> =>
    startProvider(
      providerSettings.parse({
        DATABASE_URL: databaseUrl,
        PROVIDER_PORT: '0',
        PROVIDER_CONTENT_URL: contentUrl,
        PROVIDER_POSTBACK_ORIGINS: postbackOrigins,
        PROVIDER_FETCH_ORIGINS: fetchOrigins,
        LAUNCH_KEY_FILE: keyFile,
        LOG_LEVEL: 'debug',
      }),
      { transport: on, logger: log.logger, limits, downloads, postbacks },
    ) as Promise<StartedApp & { url: string }>;
  let app = await start(transport);
  const replicas = new Set<StartedApp>();
  const bus = app.get(BusClient);

  return {
    get app() {
      return app;
    },
    bus,
    url: app.url,
    get database() {
      return app.get(Database);
    },
    databaseUrl: server.url,
    keyFile,
    lines: () => log.lines(),

    /** Creates an application, and returns its client. */
    async client(registrationLimit: number | null = null): Promise<Client> {
      const client = new Client(app.url, `app-${randomUUID()}`, randomUUID());
      const { appId, secretKey } = client;
      await bus.request(putApplication, { appId, name: 'Suite', secretKey, registrationLimit });
      return client;
    },

    /** Starts another replica, on the same database. */
    async replica(
      databaseUrl?: string,
      limits?: Partial<HttpLimits>,
    ): Promise<{ url: string; stop(): Promise<void> }> {
      const replica = await start(inProcessTransport(), databaseUrl, limits);
      replicas.add(replica);
      const stop = async () => {
        if (replicas.delete(replica)) await replica.stop();
      };
      return { url: replica.url, stop };
    },

    /** Starts the provider again, at another URL: clients of before do not reach it. */
    async restart(): Promise<void> {
      await app.stop();
      app = await start(inProcessTransport());
    },

    /** Sends a request that must wait for a statement's transaction, commits it, and returns the response. */
    async sendDuring<Answer>(statement: Sql, send: () => Promise<Answer>): Promise<Answer> {
      const database = app.get(Database);
      const { response } = await database.transaction(async () => {
        await database.execute(statement);
        const response = database.outsideTransaction(send);
        await eventually('the request waits for the transaction', () =>
          database.maybeOne(
            z.object({ pid: z.number() }),
            sql`SELECT pid FROM pg_locks
                WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)) LIMIT 1`,
          ),
        );
        return { response };
      });
      return response;
    },

    async stop(): Promise<void> {
      for (const replica of replicas) await replica.stop();
      await app.stop();
      await server.drop();
      await rm(directory, { recursive: true });
    },
  };
}
