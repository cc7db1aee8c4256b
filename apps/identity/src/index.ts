import { type StartedApp, startApp } from '@registrar/bootstrap';
import { type BusTransport } from '@registrar/bus';
import { type Logger } from '@registrar/platform';
import { IdentityModule } from './identity.module.ts';
import { type IdentitySettings } from './settings.ts';

export * from './settings.ts';

/** Migrates the schema and starts the identity context on a bus. */
export function startIdentity(
  settings: IdentitySettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<StartedApp> {
  const module = IdentityModule.with(settings);
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'identity', module, transport, logger, managementPort });
}
