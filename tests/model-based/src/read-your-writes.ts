import { setTimeout as pause } from 'node:timers/promises';
import { rabbitMqTransport } from '@registrar/bus';
import { deleteNamespace, startStubContext, stubReply } from '@registrar/bus/testing';
import { startCatalog } from '@registrar/catalog';
import { resolveAccess } from '@registrar/contracts';
import { gatewaySettings, startGateway } from '@registrar/gateway';
import { createLogger, generateMasterKey } from '@registrar/platform';
import { createTestDatabase, highRequestLimits, testScope } from '@registrar/testing';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** How often each client writes and reads, and how many clients there are of each kind. */
export interface ReadYourWritesSize {
  readonly writers: number;
  readonly readers: number;
  readonly writes: number;
}

export interface ReadYourWritesResult {
  readonly writes: number;
  readonly reads: number;
  /** Reads that showed less than had been answered before they were sent, or more than had been written. */
  readonly violations: readonly string[];
}

const access = 'realm_guid=model&realm_secret_key=secret';

/**
 * Lets clients change templates through two gateways and two replicas of the catalog, while others read
 * the list of templates, which gateways keep. Each writer owns a template and writes rising numbers. A
 * list must show of each template at least the number whose write was answered before the list was asked
 * for, and none that was not sent before the list arrived. Transactions take up to 30 ms between
 * their statement and their commit, so that they commit in another order than they began.
 */
export async function readYourWrites(
  { writers, readers, writes }: ReadYourWritesSize,
  brokerUrl: string,
): Promise<ReadYourWritesResult> {
  await using resources = new AsyncDisposableStack();
  const server = resources.adopt(await createTestDatabase(), (each) => each.drop());
  const directory = resources.adopt(await mkdtemp(join(tmpdir(), 'registrar-models-')), (each) =>
    rm(each, { recursive: true }),
  );
  const keyFile = join(directory, 'master.key');
  await writeFile(keyFile, generateMasterKey());
  const namespace = `models-${randomBytes(6).toString('hex')}`;
  resources.defer(() => deleteNamespace(brokerUrl, namespace));
  const logger = createLogger('models', 'error');
  const transport = rabbitMqTransport({ url: brokerUrl, namespace, logger, accounts: 'shared' });
  const on = { transport, logger };
  const ofRealm = testScope({ mode: 'realm', applicationIds: [1] });
  const stop = (app: { stop(): Promise<void> }) => app.stop();
  resources.adopt(
    await startStubContext('identity', [stubReply(resolveAccess, async () => ofRealm)], on),
    stop,
  );
  for (let replica = 1; replica <= 2; replica += 1) {
    const settings = {
      DATABASE_URL: server.url,
      MASTER_KEY_FILE: keyFile,
      LOG_LEVEL: 'error',
    } as const;
    resources.adopt(await startCatalog({ ...settings, MAX_PACKAGE_BYTES: 1_000_000 }, on), stop);
  }
  await delayCommits(server.url);
  const gateways: string[] = [];
  for (let replica = 1; replica <= 2; replica += 1) {
    const settings = gatewaySettings.parse({ PORT: '0', ...highRequestLimits });
    const gateway = resources.adopt(await startGateway(settings, on), stop);
    gateways.push(`${gateway.url}${settings.API_ROOT}`);
  }
  const send = async (path: string, init?: RequestInit) => {
    const gateway = gateways[Math.floor(Math.random() * gateways.length)]!;
    const response = await fetch(`${gateway}${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${init?.method ?? 'GET'} ${path}: ${response.status}`);
    return text;
  };
  const names = Array.from({ length: writers }, (_, index) => `template-${index}`);
  const sent = new Map(names.map((name) => [name, 0]));
  const answered = new Map(sent);
  for (const name of names) {
    await send(`/template.json?${access}`, {
      method: 'POST',
      body: new URLSearchParams({ name, body: '0' }),
    });
  }
  let isWriting = true;
  let reads = 0;
  const violations: string[] = [];

  const write = async (name: string) => {
    for (let value = 1; value <= writes; value += 1) {
      sent.set(name, value);
      await send(`/template/gupdate.json?${access}&name=${name}&body=${value}`);
      answered.set(name, value);
      // Readers have time to keep a response.
      await pause(Math.random() * 100);
    }
  };
  const read = async () => {
    while (isWriting) {
      const least = new Map(answered);
      const listed = JSON.parse(await send(`/template.json?${access}&fields=name,body`)) as {
        name: string;
        body: string;
      }[];
      reads += 1;
      for (const name of names) {
        const shown = Number(listed.find((each) => each.name === name)?.body);
        if (shown >= least.get(name)! && shown <= sent.get(name)!) continue;
        violations.push(`${name}: ${shown}, not ${least.get(name)} to ${sent.get(name)}`);
      }
    }
  };
  const reading = Array.from({ length: readers }, read);
  await Promise.all(names.map(write)).finally(() => (isWriting = false));
  await Promise.all(reading);
  return { writes: writers * writes, reads, violations };
}

async function delayCommits(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    CREATE FUNCTION catalog.delay_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_sleep(random() * 0.03);
      RETURN NULL;
    END $$;
    CREATE TRIGGER zz_delay_commit AFTER UPDATE ON catalog.templates
      FOR EACH ROW EXECUTE FUNCTION catalog.delay_commit()`);
  await client.end();
}
