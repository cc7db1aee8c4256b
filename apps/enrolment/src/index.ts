import { type BusApp, type BusTransport, startApp } from '#libs/bus';
import { type Logger } from '#libs/platform';
import { EnrolmentModule } from './enrolment-module.ts';
import { type EnrolmentSettings } from './settings.ts';

export * from './settings.ts';

/** Starts the enrolment context on a bus, its schema migrated. */
export function startEnrolment(
  settings: EnrolmentSettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<BusApp> {
  const module = EnrolmentModule.with(settings);
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'enrolment', module, transport, logger, managementPort });
}
