import { BusClient } from '@registrar/bus';
import { findProviderCredentials } from '@registrar/contracts';
import { Sealing } from '@registrar/platform';
import { type FactoryProvider } from '@nestjs/common';
import { CourseProviderDirectory } from './course-provider-directory.ts';

/**
 * Provides a {@link CourseProviderDirectory} that asks the identity context for credentials over
 * the bus, for the providers of a Nest module.
 *
 * @param masterKeyFile path of the master key that opens the sealed secret keys
 * @throws when the file cannot be read or holds no valid key
 */
export function provideCourseProviderDirectory(masterKeyFile: string): FactoryProvider {
  const sealing = Sealing.fromKeyFile(masterKeyFile);
  return {
    provide: CourseProviderDirectory,
    inject: [BusClient],
    useFactory: (bus: BusClient) =>
      new CourseProviderDirectory(
        (applicationId) => bus.request(findProviderCredentials, { applicationId }),
        sealing,
      ),
  };
}
