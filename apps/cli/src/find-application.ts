import { type BusClient } from '@registrar/bus';
import { Failure, listProviderApplicationSummaries } from '@registrar/contracts';

/**
 * @returns the provider application that the operator names
 * @throws {Failure} `not-found`
 */
export async function findApplication(bus: BusClient, id: number) {
  for await (const { items: page } of bus.pages(listProviderApplicationSummaries, {
    realmGuid: null,
  })) {
    const application = page.find((each) => each.id === id);
    if (application) return application;
  }
  throw new Failure('not-found', `no provider application ${id}`);
}
