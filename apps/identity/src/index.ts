import { type BusApp, type BusTransport, startApp } from '#libs/bus';
import { type Logger } from '#libs/platform';
import { IdentityModule } from './identity-module.ts';
import { type IdentitySettings } from './settings.ts';

export * from './settings.ts';

/** Starts the identity context on a bus, its schema migrated. */
export function startIdentity(
  settings: IdentitySettings,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<BusApp> {
  const module = IdentityModule.with(settings);
  const { MANAGEMENT_PORT: managementPort } = settings;
  return startApp({ name: 'identity', module, transport, logger, managementPort });
}
