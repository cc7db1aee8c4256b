import { type HttpLimits, httpLimits, type StartedApp, startApp } from '@registrar/bootstrap';
import type { BusTransport } from '@registrar/bus';
import type { Logger } from '@registrar/platform';
import { ConsoleModule } from './console.module.ts';
import { ConsoleAddress } from './http/console-address.ts';
import { httpServerOptions } from './http/http-server.ts';
import type { ConsoleSettings } from './settings.ts';
import { SignInLinks } from './sign-in/sign-in-links.ts';

interface ConsoleParts {
  readonly transport: BusTransport;
  readonly logger: Logger;
  /** Shorter times, for suites. */
  readonly limits?: Partial<HttpLimits>;
}

/** Migrates the console's schema, and serves its pages on a bus that the contexts are connected to. */
export function startConsole(
  settings: ConsoleSettings,
  { transport, logger, ...shortened }: ConsoleParts,
): Promise<StartedApp> {
  const limits = { ...httpLimits(settings), ...shortened.limits };
  return startApp({
    name: 'console',
    module: ConsoleModule.with(settings, limits),
    transport,
    logger,
    http: httpServerOptions(settings, limits),
    managementPort: settings.MANAGEMENT_PORT,
  });
}

/** Creates a link that signs an operator in once. Its token stands in the fragment, which no server and no log gets. */
export const createSignInLink = async (app: Pick<StartedApp, 'get'>): Promise<string> =>
  `${app.get(ConsoleAddress).urlOf('/sign-in')}#${await app.get(SignInLinks).create()}`;
