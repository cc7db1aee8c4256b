import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { BalancedClient } from './balanced-client.ts';
import type { Ledger } from './ledger.ts';
import { rollReplicas } from './roll-replicas.ts';
import type { System } from './system.ts';

/** The result of rotating one secret. */
export interface Rotation {
  readonly secret: string;
  /** Number of operations that were acknowledged meanwhile. */
  readonly served: number;
  /** Operations that failed meanwhile, and processes that did not exit with code 0. */
  readonly failures: readonly string[];
}

type Rotating = NonNullable<System['rotation']>;

const overlap = ['--overlap', '1h'];
const rotatedRealm = z.object({ realm_secret_key: z.string() });
const rotatedApplication = z.object({ sc_secret_key: z.string() });

/**
 * Rotates, under load and with overlap, every secret but the master key (`changeMasterKey`), one after the
 * other. Clients then use both the old and the new secret of the realm and of the provider application.
 */
export async function rotateSecrets(
  system: System,
  rotating: Rotating,
  ledger: Ledger,
  calls: BalancedClient,
): Promise<Rotation[]> {
  const { registrar } = rotating;
  const { realm_guid, realm_secret_key, sc_app_id, sc_secret_key } = system.facts;
  const providerPair = (secret: string) =>
    new BalancedClient(system.baseUrls, { sc_app_id, sc_secret_key: secret }, ledger);
  const steps: readonly [string, () => Promise<string[]>][] = [
    [
      'the secret key of the realm',
      async () => {
        const output = await registrar('realm', 'rotate', realm_guid, ...overlap);
        const { realm_secret_key: next } = rotatedRealm.parse(output);
        const access = (secret: string) => ({ realm_guid, realm_secret_key: secret });
        calls.authenticate(access(realm_secret_key), access(next));
        await readOften(calls);
        calls.authenticate(access(next));
        return [];
      },
    ],
    [
      'the secret key of the provider application',
      async () => {
        const before = providerPair(sc_secret_key);
        const reading = readOften(before);
        const output = await registrar('application', 'rotate', '1', ...overlap);
        const after = providerPair(rotatedApplication.parse(output).sc_secret_key);
        await Promise.all([reading, readOften(before), readOften(after)]);
        return [];
      },
    ],
    [
      'the key of launch URLs',
      async () => {
        await registrar('launch-key', 'rotate');
        await readOften(calls);
        return [];
      },
    ],
    ['the keys of the bus', () => changeBusKeys(system, rotating, calls)],
  ];
  const rotations: Rotation[] = [];
  for (const [secret, rotate] of steps) {
    const before = ledger.totalAcknowledged;
    const failures = [...(await rotate()), ...ledger.takeErrors()];
    rotations.push({ secret, served: ledger.totalAcknowledged - before, failures });
  }
  return rotations;
}

/** The requests of one client after the rotation of a secret. */
const readCount = 40;

async function readOften(calls: BalancedClient): Promise<void> {
  for (let read = 0; read < readCount; read += 1) {
    await calls.get('course index', '/course.json', {});
  }
}

/** Changes the keys of all apps (docs/operations.md, "Keys of the bus"). */
async function changeBusKeys(
  system: System,
  { busKeys, registrar }: Rotating,
  calls: BalancedClient,
): Promise<string[]> {
  const next = join(busKeys, 'next');
  await registrar('bus-keys', 'create', '--directory', next);
  const privateKeys = (await readdir(next)).filter((name) => name.endsWith('.key'));
  const read = async (name: string) => ({
    old: await readFile(join(busKeys, name), 'utf8'),
    new: await readFile(join(next, name), 'utf8'),
  });
  const publicKeys = await read('public-keys');
  const keys = await Promise.all(
    privateKeys.map(async (name) => [name, await read(name)] as const),
  );
  const store = (name: string, text: string) => writeFile(join(busKeys, name), text);
  const failures: string[] = [];
  const roll = async () => failures.push(...(await rollReplicas(system, calls)));

  await store('public-keys', publicKeys.old + publicKeys.new);
  await roll();
  for (const [name, key] of keys) await store(name, key.new + key.old);
  await roll();
  // Events that were sent with an old key have been handled: this load leaves none to be retried.
  await store('public-keys', publicKeys.new);
  await roll();
  for (const [name, key] of keys) await store(name, key.new);
  await roll();
  return failures;
}
