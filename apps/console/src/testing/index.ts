import type { StartedApp } from '@registrar/bootstrap';
import { ConsoleAddress } from '../http/console-address.ts';
import type { ConsoleRoles } from '../sessions/roles.ts';
import { Sessions } from '../sessions/sessions.ts';

/** Begins a session of a user, as after a sign-in. Returns the cookie for a browser. */
export async function beginSession(
  app: Pick<StartedApp, 'get'>,
  name: string,
  roles: ConsoleRoles,
): Promise<{ readonly name: string; readonly value: string; readonly url: string }> {
  const value = await app.get(Sessions).begin({ account: `suite ${name}`, name, roles });
  return { name: 'registrar_console', value, url: app.get(ConsoleAddress).urlOf('/') };
}
