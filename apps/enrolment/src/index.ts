import { type StartedApp, startApp } from '@registrar/bootstrap';
import { type BusTransport } from '@registrar/bus';
import { type Logger } from '@registrar/platform';
import { EnrolmentModule } from './enrolment.module.ts';
import { type EnrolmentSettings } from './settings.ts';

export * from './settings.ts';

/** Starts the enrolment context on a bus, its schema migrated. */
export function startEnrolment(
  settings: EnrolmentSettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<StartedApp> {
  const module = EnrolmentModule.register(settings);
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'enrolment', module, transport, logger, managementPort });
}
