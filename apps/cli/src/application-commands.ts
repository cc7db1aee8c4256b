import { createProviderApplication, guid } from '@registrar/contracts';
import type { Command } from 'commander';
import { argumentOf } from './arguments.ts';
import { addCommand, addGroup } from './command.ts';
import { findRealm } from './find-realm.ts';
import { withInstallation } from './installation.ts';
import { Output } from './output.ts';
import { createOwnApplication, joinRealm, ownProviderUrl } from './own-applications.ts';
import type { Terminal } from './terminal.ts';

interface CreateOptions {
  readonly realm: string;
  readonly name: string;
  readonly json?: true;
}

/** `registrar application`: accounts at our own course provider. */
export function addApplicationCommands(program: Command, terminal: Terminal): void {
  const application = addGroup(program, 'application', 'make accounts at our own course provider');

  addCommand(application, 'create', {
    description: 'make an application at our own course provider, and add it to a realm',
    examples: [
      'application create --realm 3fe5e9b6-…',
      'application create --realm 3fe5e9b6-… --name "Safety courses" --json',
    ],
  })
    .requiredOption('--realm <guid>', 'the guid of the realm', argumentOf(guid))
    .option(
      '--name <name>',
      'what people call it',
      argumentOf(createProviderApplication.input.shape.name),
      'Main',
    )
    .action(async ({ realm: realmGuid, name, json }: CreateOptions) => {
      const output = new Output(terminal, json === true);
      const url = await ownProviderUrl(terminal);
      const made = await withInstallation(terminal, async (bus) => {
        // An account for a realm that does not exist would remain at the provider.
        const realmId = await findRealm(bus, realmGuid);
        const account = await createOwnApplication(bus, name);
        return { realm_id: realmId, ...(await joinRealm(bus, account, { realmGuid, name, url })) };
      });
      await output.record(made);
      output.note('The secret key is shown this once: keep it where it is safe.');
    });
}
