import { startEmbeddedPostgres } from '#libs/persistence';
import { testBrokerUrl } from '#libs/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureBus } from './bus.ts';
import { report } from './report.ts';

const directory = await mkdtemp(join(tmpdir(), 'registrar-benchmark-'));
const postgres = await startEmbeddedPostgres(directory);
try {
  for (const result of await measureBus(postgres.url, testBrokerUrl)) {
    process.stdout.write(`${report(result)}\n`);
  }
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
