import {
  apiKeyLimits,
  emailAddress,
  type EmailAddress,
  guid,
  issueApiKey,
  lifetimeHoursText,
  listApiKeys,
  type Permission,
  permissionsText,
  revokeApiKey,
} from '@registrar/contracts';
import type { Command } from 'commander';
import { argumentOf, idArgument } from './arguments.ts';
import { addCommand, addGroup } from './command.ts';
import { withInstallation } from './installation.ts';
import { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

interface CreateOptions {
  readonly realm: string;
  readonly user?: EmailAddress;
  readonly application?: number;
  readonly permissions?: Permission[];
  readonly lifetime?: number;
  readonly json?: true;
}

/** `registrar key`: API keys. */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const key = addGroup(program, 'key', 'make API keys, list them, end them');

  addCommand(key, 'create', {
    description: 'make an API key of a realm, and show it',
    examples: [
      'key create --realm 3fe5e9b6-…',
      'key create --realm 3fe5e9b6-… --user learner@example.com',
      'key create --realm 3fe5e9b6-… --permissions read,launch --lifetime 8',
      'key create --realm 3fe5e9b6-… --application 1 --json',
    ],
  })
    .requiredOption('--realm <guid>', 'the guid of the realm', argumentOf(guid))
    .option('--user <email>', 'bind it to this user', argumentOf(emailAddress))
    .option('--application <id>', 'bind it to this provider application', idArgument)
    .option(
      '--permissions <list>',
      'of read, write and launch, separated by commas (default: all)',
      argumentOf(permissionsText),
    )
    .option(
      '--lifetime <hours>',
      'shorten its lifetime, also when it is renewed',
      argumentOf(lifetimeHoursText),
    )
    .action(async (options: CreateOptions) => {
      const output = new Output(terminal, options.json === true);
      const { summary, token } = await withInstallation(terminal, (bus) =>
        bus.request(issueApiKey, {
          realmGuid: options.realm,
          userEmail: options.user ?? null,
          applicationId: options.application ?? null,
          ...apiKeyLimits.parse({
            ...{ permissions: options.permissions, lifetimeHours: options.lifetime },
          }),
        }),
      );
      await output.record({ ...summary, access_token: token });
      output.note('The key is shown this once: keep it where it is safe.');
    });

  addCommand(key, 'list', {
    description: 'list the API keys that have not expired, of a realm or of all',
    examples: ['key list', 'key list --realm 3fe5e9b6-… --json'],
  })
    .option('--realm <guid>', 'only those of this realm', argumentOf(guid))
    .action(async (options: { realm?: string; json?: true }) => {
      const output = new Output(terminal, options.json === true);
      const bindings = ['course_provider_id', 'user_email', 'permissions'] as const;
      const columns = ['id', 'realm_guid', ...bindings, 'created_at', 'expires_at'] as const;
      await withInstallation(terminal, (bus) =>
        output.list(bus.pages(listApiKeys, { realmGuid: options.realm ?? null }), columns),
      );
    });

  addCommand(key, 'revoke', {
    description: 'end an API key at once',
    examples: ['key revoke 7'],
  })
    .argument('<id>', 'the id of the key, as list shows it', idArgument)
    .action(async (id: number, options: { json?: true }) => {
      const output = new Output(terminal, options.json === true);
      await withInstallation(terminal, (bus) => bus.request(revokeApiKey, { apiKeyId: id }));
      await output.record({ id, revoked: true });
    });
}
