import { startIdentityProvider } from '@registrar/console/testing/identity-provider';
import type { Attack } from '../attack.ts';
import { tooMuchTaken } from '../compare-with-calm.ts';
import { HttpClient } from '../http-client.ts';
import { createTenant } from '../tenant.ts';
import { ConsoleClient } from './console-client.ts';
import { tryForeignSites, tryFrames } from './foreign-sites.ts';
import { tryRoles } from './roles.ts';
import { compareSessionFloods } from './session-floods.ts';
import { tryFixation, tryRedirects, tryStoppedProvider } from './sign-ins.ts';
import { tryStoredScripts } from './stored-scripts.ts';

/** Other sites, other roles, stored scripts and floods, at the console. */
export const consolePages: Attack = {
  name: 'console',
  tried:
    'changes caused by other sites, frames, roles that do not reach a call, redirects and planted cookies at sign-in, stored scripts in Chromium, floods of sign-ins and calls, a stopped identity provider',
  async run(target, options) {
    const { consoleUrl: url, identityProviderPort } = target;
    const provider = await startIdentityProvider(`${url}/sign-in/callback`, identityProviderPort);
    const http = new HttpClient(target, '127.0.1.1');
    try {
      const client = new ConsoleClient(http, url, provider);
      const own = await createTenant(target, 'console');
      const foreign = await createTenant(target, 'console-foreign');
      const operator = await client.cookieOf('operator of the attack', ['operator']);
      const realms = { own: own.realmGuid, foreign: foreign.realmGuid };
      const violations = [
        ...(await tryForeignSites(client, operator)),
        ...(await tryFrames(client, operator)),
        ...(await tryRoles(client, own, foreign)),
        ...(await tryRedirects(client)),
        ...(await tryFixation(client)),
        ...(await tryStoredScripts(client, http, own)),
      ];
      const bystander = await compareSessionFloods(client, realms, options);
      violations.push(...tooMuchTaken(bystander));
      violations.push(...(await tryStoppedProvider(client, provider, operator)));
      return { violations, bystander };
    } finally {
      http.close();
      await provider.stop();
    }
  },
};
