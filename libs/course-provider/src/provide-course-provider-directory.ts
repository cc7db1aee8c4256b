import { BusClient } from '@registrar/bus';
import { findProviderCredentials } from '@registrar/contracts';
import { Sealing } from '@registrar/platform';
import { type FactoryProvider, type Type } from '@nestjs/common';
import { type CallLimits } from './call-limits.ts';
import { CourseProviderDirectory } from './course-provider-directory.ts';

/**
 * Provides a {@link CourseProviderDirectory} that requests credentials from the identity context over
 * the bus, for the providers of a Nest module.
 *
 * @param masterKeyFile path of the master key that opens the sealed secret keys
 * @param limits the provider of the module that limits the calls; absent: nothing does
 * @throws when the file cannot be read or holds no valid key
 */
export function provideCourseProviderDirectory(
  masterKeyFile: string,
  limits?: Type<CallLimits>,
): FactoryProvider {
  const sealing = Sealing.fromKeyFile(masterKeyFile);
  return {
    provide: CourseProviderDirectory,
    inject: [BusClient, ...(limits ? [limits] : [])],
    useFactory: (bus: BusClient, callLimits?: CallLimits) =>
      new CourseProviderDirectory(
        (applicationId) => bus.request(findProviderCredentials, { applicationId }),
        sealing,
        callLimits,
      ),
  };
}
