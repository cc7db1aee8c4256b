import { type BusApp, type BusClient, type BusTransport, startApp } from '#libs/bus';
import { accessScope, createInvitation, type InvitationRecord } from '#libs/contracts';
import { type Logger } from '#libs/platform';
import { Module } from '@nestjs/common';

/** What the models' clients reach: realm 1, and its provider application 1. */
export const scope = accessScope.parse({
  mode: 'realm',
  realmId: 1,
  applicationIds: [1],
  wholeRealm: true,
  user: null,
  expiresAt: null,
});

/** An app that only asks. */
export function startClient(on: { transport: BusTransport; logger: Logger }): Promise<BusApp> {
  class Client {}
  Module({})(Client);
  return startApp({ name: 'client', module: Client, ...on });
}

/** Makes a licence with so many seats for one course. */
export const createLicense = (
  bus: BusClient,
  { name, courseGuid, seats }: { name: string; courseGuid: string; seats: number },
): Promise<InvitationRecord> =>
  bus.request(createInvitation, {
    scope,
    name,
    description: null,
    enabled: null,
    license: true,
    avoidDuplicateRegistrations: null,
    noUpdatesAllowed: null,
    custom: JSON.stringify({ license_data: { [courseGuid]: { seats_available: seats } } }),
    courseGuids: [courseGuid],
    invitationTemplateId: null,
  });
