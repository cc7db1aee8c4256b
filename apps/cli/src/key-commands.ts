import type { BusClient, ReplyOf } from '@registrar/bus';
import {
  type ApiKeyFilters,
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
  revokeApiKeys,
  shortenApiKey,
  shortenApiKeys,
} from '@registrar/contracts';
import { argumentOf, durationArgument, idArgument } from './arguments.ts';
import { addCommand, addGroup, type OperatorCommand } from './command.ts';
import {
  addKeySelectionOptions,
  changedKeys,
  filtersOf,
  type KeySelectionOptions,
} from './key-selection.ts';
import { type Output, shownOnce } from './output.ts';
import { UsageError } from './terminal.ts';

interface CreateOptions {
  readonly realm: string;
  readonly user?: EmailAddress;
  readonly application?: number;
  readonly permissions?: Permission[];
  readonly lifetime?: number;
}

interface RevokeOptions extends KeySelectionOptions {
  readonly dryRun?: true;
}

interface ExpireOptions {
  readonly in: number;
}

/** `registrar key`: API keys. */
export function addKeyCommands(program: OperatorCommand): void {
  const key = addGroup(program, 'key', 'make API keys, list them, limit and end them');

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
    .handle(async ({ output, ask }, options: CreateOptions) => {
      const { summary, token } = await ask((bus) =>
        bus.request(issueApiKey, {
          realmGuid: options.realm,
          userEmail: options.user ?? null,
          applicationId: options.application ?? null,
          ...apiKeyLimits.parse({
            permissions: options.permissions,
            lifetimeHours: options.lifetime,
          }),
        }),
      );
      await output.record({ ...summary, access_token: token });
      output.note(shownOnce('key'));
    });

  const list = addCommand(key, 'list', {
    description: 'list the API keys that have not expired, of a realm or of all',
    examples: ['key list', 'key list --realm 3fe5e9b6-… --unused-for 30d', 'key list --json'],
  });
  addKeySelectionOptions(list).handle(({ output, ask }, options: KeySelectionOptions) =>
    ask((bus) => listKeys(bus, output, options.realm ?? null, filtersOf(options))),
  );

  const revoke = addCommand(key, 'revoke', {
    description: 'end an API key, or the selected keys of a realm, at once',
    examples: [
      'key revoke 7',
      'key revoke --realm 3fe5e9b6-… --user learner@example.com',
      'key revoke --realm 3fe5e9b6-… --older-than 90d --unused-for 30d --dry-run',
    ],
  }).argument('[id]', 'the id of the key, as list shows it', idArgument);
  addKeySelectionOptions(revoke)
    .option('--dry-run', 'only list the selected keys')
    .handle(async ({ output, ask }, id: number | undefined, options: RevokeOptions) => {
      const keys = changedKeys(id, options);
      await ask(async (bus) => {
        if ('apiKeyId' in keys) {
          if (options.dryRun) throw new UsageError('--dry-run needs --realm');
          await bus.request(revokeApiKey, keys);
          return output.record({ id: keys.apiKeyId, revoked: true });
        }
        const { realmGuid, ...filters } = keys;
        if (options.dryRun) return listKeys(bus, output, realmGuid, filters);
        const revoked = await changeAll(() => bus.request(revokeApiKeys, keys));
        return output.record({ realm_guid: realmGuid, revoked });
      });
    });

  const expire = addCommand(key, 'expire', {
    description: 'let an API key, or the selected keys of a realm, expire earlier',
    examples: ['key expire 7 --in 2h', 'key expire --realm 3fe5e9b6-… --older-than 90d --in 7d'],
  })
    .argument('[id]', 'the id of the key, as list shows it', idArgument)
    .requiredOption('--in <time>', 'after this time at the latest, such as 2h', durationArgument);
  addKeySelectionOptions(expire).handle(
    async (
      { output, ask },
      id: number | undefined,
      options: KeySelectionOptions & ExpireOptions,
    ) => {
      const keys = changedKeys(id, options);
      const inSeconds = options.in;
      await ask(async (bus) => {
        if ('apiKeyId' in keys) {
          const { expires_at } = await bus.request(shortenApiKey, { ...keys, inSeconds });
          return output.record({ id: keys.apiKeyId, expires_at });
        }
        const shortened = await changeAll(() =>
          bus.request(shortenApiKeys, { ...keys, inSeconds }),
        );
        return output.record({ realm_guid: keys.realmGuid, shortened });
      });
    },
  );
}

const columns = [
  ...(['id', 'realm_guid', 'course_provider_id', 'user_email', 'permissions'] as const),
  ...(['created_at', 'last_used_at', 'expires_at'] as const),
];

const listKeys = (
  bus: BusClient,
  output: Output,
  realmGuid: string | null,
  filters: ApiKeyFilters,
): Promise<void> => output.list(bus.pages(listApiKeys, { realmGuid, ...filters }), columns);

/** Repeats a request that changes some keys until it has changed all. @returns how many it changed */
async function changeAll(
  changeSome: () => Promise<ReplyOf<typeof revokeApiKeys>>,
): Promise<number> {
  let changed = 0;
  for (;;) {
    const reply = await changeSome();
    changed += reply.changed;
    if (!reply.more) return changed;
  }
}
