import { createRealm, Failure, guid, listRealms, rotateRealmSecret } from '@registrar/contracts';
import type { Command } from 'commander';
import { argumentOf } from './arguments.ts';
import { addCommand, addGroup } from './command.ts';
import { withInstallation } from './installation.ts';
import { Output } from './output.ts';
import { createOwnApplication, joinRealm, ownProviderUrl } from './own-applications.ts';
import { addRealmLimitsCommand } from './realm-limits-command.ts';
import type { Terminal } from './terminal.ts';

const shownOnce = 'The secret key is shown this once: keep it where it is safe.';
const bothShownOnce = 'The secret keys are shown this once: keep them where they are safe.';

/** `registrar realm`: who shares users, keys, invitations and provider applications. */
export function addRealmCommands(program: Command, terminal: Terminal): void {
  const realm = addGroup(
    program,
    'realm',
    'make realms, list them, give them new secret keys and limits',
  );

  addCommand(realm, 'create', {
    description: 'make a realm, and show its guid and secret key',
    examples: ['realm create "Swimming school" --with-application', 'realm create Demo --json'],
  })
    .argument('<name>', 'what people call it', argumentOf(createRealm.input.shape.name))
    .option('--with-application', 'add a new application at our own course provider to it')
    .action(async (name: string, options: { withApplication?: true; json?: true }) => {
      const output = new Output(terminal, options.json === true);
      const url = options.withApplication ? await ownProviderUrl(terminal) : null;
      await withInstallation(terminal, async (bus) => {
        // First, because an account that no realm uses does no harm when the rest fails.
        const account = url === null ? null : await createOwnApplication(bus, name);
        const { realmId, realmGuid, realmSecretKey } = await bus.request(createRealm, { name });
        const realm = {
          realm_id: realmId,
          realm_guid: realmGuid,
          realm_secret_key: realmSecretKey,
        };
        if (account === null || url === null) return output.record(realm);
        const joined = joinRealm(bus, account, { realmGuid, name, url });
        // The secret key of the realm is shown whatever happens now.
        await output.record({ ...realm, ...(await joined.catch(() => null)) });
        await joined.catch((error: unknown) => {
          const { code, message } = Failure.from(error);
          const remedy = `registrar application create --realm ${realmGuid}`;
          throw new Failure(code, `the realm has no application: ${message}. Try: ${remedy}`);
        });
      });
      output.note(options.withApplication ? bothShownOnce : shownOnce);
    });

  addCommand(realm, 'list', {
    description: 'list all realms',
    examples: ['realm list', 'realm list --json'],
  }).action(async (options: { json?: true }) => {
    const output = new Output(terminal, options.json === true);
    const columns = ['id', 'guid', 'name', 'provider_applications', 'users', 'created_at'] as const;
    await withInstallation(terminal, (bus) => output.list(bus.pages(listRealms, {}), columns));
  });

  addCommand(realm, 'rotate', {
    description: 'give a realm a new secret key; the old one is refused from now on',
    examples: ['realm rotate 3fe5e9b6-7c0f-4a1e-8e0f-0d7c3b1a9f10'],
  })
    .argument('<guid>', 'the guid of the realm', argumentOf(guid))
    .action(async (realmGuid: string, options: { json?: true }) => {
      const output = new Output(terminal, options.json === true);
      const rotated = await withInstallation(terminal, (bus) =>
        bus.request(rotateRealmSecret, { realmGuid }),
      );
      await output.record({
        realm_guid: rotated.realmGuid,
        realm_secret_key: rotated.realmSecretKey,
      });
      output.note(shownOnce);
    });

  addRealmLimitsCommand(realm, terminal);
}
