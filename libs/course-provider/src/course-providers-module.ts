import { BusClient, HandleBroadcast } from '#libs/bus';
import { accessChanged, providerCredentials } from '#libs/contracts';
import { Sealing } from '#libs/platform';
import { Controller, type FactoryProvider } from '@nestjs/common';
import { CourseProviderDirectory } from './course-provider-directory.ts';

/**
 * For the module of an app on the bus: its {@link CourseProviderDirectory}, which asks identity.
 *
 * @param masterKeyFile opens the secrets that identity hands out sealed
 */
export function courseProviders(masterKeyFile: string): FactoryProvider {
  const sealing = Sealing.fromKeyFile(masterKeyFile);
  return {
    provide: CourseProviderDirectory,
    inject: [BusClient],
    useFactory: (bus: BusClient) =>
      new CourseProviderDirectory(
        (applicationId) => bus.request(providerCredentials, { applicationId }),
        sealing,
      ),
  };
}

/** Credentials of course providers are asked for again when identity says that access changed. */
@Controller()
export class ProviderAccess {
  constructor(private readonly providers: CourseProviderDirectory) {}

  @HandleBroadcast(accessChanged)
  accessChanged(): void {
    this.providers.forget();
  }
}
