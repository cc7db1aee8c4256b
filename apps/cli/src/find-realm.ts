import { type BusClient } from '@registrar/bus';
import {
  type AccessScope,
  accessScope,
  Failure,
  listProviderApplicationSummaries,
  listRealms,
  type RealmSummary,
  allPermissions,
} from '@registrar/contracts';

/** @returns the realm that the operator names @throws {Failure} `not-found` */
export async function showRealm(bus: BusClient, realmGuid: string): Promise<RealmSummary> {
  for await (const { items: page } of bus.pages(listRealms, {})) {
    const realm = page.find(({ guid }) => guid === realmGuid);
    if (realm) return realm;
  }
  throw new Failure('not-found', 'no such realm');
}

/** @returns the id of the realm that the operator names @throws {Failure} `not-found` */
export const findRealm = async (bus: BusClient, realmGuid: string): Promise<number> =>
  (await showRealm(bus, realmGuid)).id;

/** What the realm's own pair would reach. @throws {Failure} `not-found` */
export async function reachOfRealm(bus: BusClient, realmGuid: string): Promise<AccessScope> {
  const realmId = await findRealm(bus, realmGuid);
  const applicationIds: number[] = [];
  for await (const { items: page } of bus.pages(listProviderApplicationSummaries, { realmGuid })) {
    applicationIds.push(...page.map(({ id }) => id));
  }
  return accessScope.parse({
    mode: 'realm',
    realmId,
    applicationIds,
    wholeRealm: true,
    user: null,
    apiKeyId: null,
    permissions: [...allPermissions],
    secretGeneration: null,
    expiresAt: null,
    limits: null,
    compatibility: null,
  });
}
