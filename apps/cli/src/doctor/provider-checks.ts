import { type BusClient } from '@registrar/bus';
import {
  Failure,
  listProviderApplicationSummaries,
  findProviderCredentials,
} from '@registrar/contracts';
import { connectCourseProvider } from '@registrar/course-provider';
import { providerSecretPurpose, Sealing, SettingsError } from '@registrar/platform';
import { checkProvider } from '../check-provider.ts';
import type { Call } from '../command.ts';
import { type Check, CheckFailed, fail, type Finding, ok, warn } from './check.ts';
import { connectTo } from './broker-checks.ts';
import { clockFinding } from './database-checks.ts';

/** How many providers are called at the same time. */
const atOnce = 8;

/** Of every provider application: its sealed secret, and whether its provider takes it. Needs the keys of the bus. */
export const providersCheck = (
  masterKeyFile: string,
  brokerUrl: string | undefined,
  ask: Call['ask'],
): Check => ({
  name: 'provider applications',
  look: async () => {
    const sealing = Sealing.fromKeyFile(masterKeyFile);
    try {
      // The bus would wait for a broker that is away.
      if (brokerUrl) await (await connectTo(brokerUrl)).close();
      return await ask((bus) => all(bus, sealing));
    } catch (error) {
      if (error instanceof SettingsError) return [];
      if (!(error instanceof Failure || error instanceof CheckFailed)) throw error;
      return warn(
        `they were not checked: ${error.message}`,
        'see to the broker and to identity, which knows them, and try again',
      );
    }
  },
});

async function all(bus: BusClient, sealing: Sealing): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const { items: page } of bus.pages(
    listProviderApplicationSummaries,
    { realmGuid: null },
    atOnce,
  )) {
    found.push(...(await Promise.all(page.map(({ id }) => one(bus, sealing, id)))).flat());
  }
  return found.length > 0 ? found : [ok('there are none yet')];
}

async function one(bus: BusClient, sealing: Sealing, id: number): Promise<Finding | Finding[]> {
  const credentials = await bus.request(findProviderCredentials, { applicationId: id });
  const { baseUrl, appId, sealedSecretKey, sealedPostbackSecret } = credentials;
  const who = `application ${id} (${appId})`;
  const secretKey = sealing.tryOpen(sealedSecretKey, providerSecretPurpose(appId));
  if (secretKey === null) {
    return fail(
      `MASTER_KEY_FILE does not open the secret of ${who}`,
      `give every app the key that it was sealed with; if that is lost: registrar provider ` +
        `rotate ${id}`,
    );
  }
  const provider = connectCourseProvider({ baseUrl, appId, secretKey });
  const { findings, faultKind } = await checkProvider(provider);
  if (!findings.reachable) {
    return fail(
      `the provider of ${who} cannot be reached: ${findings.fault}`,
      'see whether it runs and whether this machine may call it; its address is changed with ' +
        'registrar provider add',
    );
  }
  if (findings.credentials_accepted === false) {
    return fail(
      `the provider of ${who} refuses its secret key`,
      `get the right one from the provider, then: registrar provider rotate ${id}`,
    );
  }
  if (faultKind === 'throttled') {
    return fail(
      `the provider of ${who} throttles calls: ${findings.fault}`,
      'lower CRAWL_RATE_PER_SECOND of the crawler, or ask the provider for a higher limit',
    );
  }
  if (findings.fault !== null) {
    return fail(
      `the provider of ${who} fails: ${findings.fault}`,
      `try: registrar provider test ${id}`,
    );
  }
  const { clock_skew_seconds: skew } = findings;
  return [
    ...([sealedSecretKey, sealedPostbackSecret].every((sealed) => sealed.startsWith(sealing.prefix))
      ? []
      : [underOldKey(who)]),
    ok(`the provider of ${who} takes its secret key`),
    ...(skew === null ? [] : [clockFinding(skew, `the clock of the provider of ${who}`)]),
  ];
}

const underOldKey = (who: string): Finding =>
  warn(
    `a secret of ${who} is not sealed under the first key of MASTER_KEY_FILE`,
    'registrar master-key reseal',
  );
