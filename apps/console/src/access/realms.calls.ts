import type { BusClient } from '@registrar/bus';
import {
  changeRealmCompatibility,
  changeRealmLimits,
  createRealm,
  Failure,
  filterText,
  findRealmLimits,
  guid,
  listRealms,
  type RealmSummary,
  rotateRealmSecret,
  switchRealm,
} from '@registrar/contracts';
import * as z from 'zod';
import { callPage, installationCall } from '../calls/define-call.ts';

/** Lists the realms; `text` limits them to those whose name contains it, in any case. */
export const listAllRealms = installationCall({
  input: z.object({ ...callPage, text: filterText.nullable().default(null) }),
  handle: async ({ bus }, { text, ...page }) =>
    bus.page(listRealms, text === null ? {} : { text }, page),
});

/** Shows a realm with its own limits. */
export const showRealm = installationCall({
  input: z.object({ realm: guid }),
  handle: async ({ bus }, { realm: realmGuid }) => {
    const [realm, { limits }] = await Promise.all([
      findRealm(bus, realmGuid),
      bus.request(findRealmLimits, { realmGuid }),
    ]);
    return { realm, limits };
  },
});

/** @throws {Failure} `not-found` */
async function findRealm(bus: BusClient, realmGuid: string): Promise<RealmSummary> {
  const { items } = await bus.page(listRealms, { realmGuid }, { cursor: null, limit: 1 });
  if (!items[0]) throw new Failure('not-found', 'no such realm');
  return items[0];
}

/** Creates a realm. The reply is the only one that has its secret key. */
export const createNewRealm = installationCall({
  changes: true,
  input: createRealm.input,
  handle: async ({ bus }, wanted) => bus.request(createRealm, wanted),
});

/** Disables a realm, or enables it. */
export const switchOneRealm = installationCall({
  changes: true,
  input: z.object({ realm: guid, enabled: z.boolean() }),
  handle: async ({ bus }, { realm: realmGuid, enabled }) =>
    bus.request(switchRealm, { realmGuid, enabled }),
});

const { overlapSeconds, endKeys } = rotateRealmSecret.input.shape;

/** Gives a realm a new secret key, which only this reply has. */
export const rotateSecretOfRealm = installationCall({
  changes: true,
  input: z.object({ realm: guid, overlapSeconds, endKeys }),
  handle: async ({ bus }, { realm: realmGuid, ...wanted }) =>
    bus.request(rotateRealmSecret, { realmGuid, ...wanted }),
});

/** Sets the limits of a realm: those that are absent get the installation's defaults. */
export const setLimitsOfRealm = installationCall({
  changes: true,
  input: z.object({ realm: guid, limits: changeRealmLimits.input.shape.changes }),
  handle: async ({ bus }, { realm: realmGuid, limits }) =>
    bus.request(changeRealmLimits, { realmGuid, changes: limits, fromDefaults: true }),
});

const { clients, userLicenses } = changeRealmCompatibility.input.shape;

/** Sets which clients of earlier services a realm serves; what is null stays as it is. */
export const setCompatibilityOfRealm = installationCall({
  changes: true,
  input: z.object({ realm: guid, clients, userLicenses }),
  handle: async ({ bus }, { realm: realmGuid, ...wanted }) =>
    bus.request(changeRealmCompatibility, { realmGuid, ...wanted }),
});
