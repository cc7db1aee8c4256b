import * as z from 'zod';
import { BalancedClient } from './balanced-client.ts';
import type { Ledger } from './ledger.ts';
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
