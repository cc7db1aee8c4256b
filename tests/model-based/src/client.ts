import { type StartedApp, startApp } from '@registrar/bootstrap';
import { type BusClient, type BusTransport } from '@registrar/bus';
import { createInvitation, type InvitationRecord } from '@registrar/contracts';
import { type Logger } from '@registrar/platform';
import { Module } from '@nestjs/common';
import { testScope } from '@registrar/testing';

/** The access scope of the clients: realm 1 and its provider application 1. */
export const scope = testScope({ mode: 'realm', applicationIds: [1] });

/** Starts an app that only sends requests, those of the gateway or of the operator. */
export function startClient(
  name: 'gateway' | 'operator',
  on: { transport: BusTransport; logger: Logger },
): Promise<StartedApp> {
  class Client {}
  Module({})(Client);
  return startApp({
    name,
    module: Client,
    ...on,
  });
}

/** Creates a license with seats for one course. */
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
    licenseData: null,
    courseGuids: [courseGuid],
    invitationTemplateId: null,
  });
