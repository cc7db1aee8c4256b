import type { ReplyOf } from '@registrar/bus';
import {
  apiKeyFilters,
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
import { addCommand, type OperatorCommand } from './command.ts';
import { shownOnce } from './output.ts';
import { UsageError } from './terminal.ts';

interface CreateOptions {
  readonly realm: string;
  readonly user?: EmailAddress;
  readonly application?: number;
  readonly permissions?: Permission[];
  readonly lifetime?: number;
}

/** The options that select API keys. */
interface KeySelectionOptions {
  readonly realm?: string;
  readonly user?: EmailAddress;
  readonly olderThan?: number;
  readonly unusedFor?: number;
}

interface RevokeOptions extends KeySelectionOptions {
  readonly dryRun?: true;
}

interface ExpireOptions extends KeySelectionOptions {
  readonly in: number;
}

/** `registrar key`: API keys. */
export function addKeyCommands(program: OperatorCommand): void {
  const key = program.command('key').description('make API keys, list them, limit and end them');

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
  addKeySelectionOptions(list).handle((call, options: KeySelectionOptions) =>
    call.list(listApiKeys, { realmGuid: options.realm ?? null, ...filtersOf(options) }),
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
    .handle(async (call, id: number | undefined, options: RevokeOptions) => {
      const { output, ask, list } = call;
      const keys = changedKeys(id, options);
      if ('apiKeyId' in keys) {
        if (options.dryRun) throw new UsageError('--dry-run needs --realm');
        await ask((bus) => bus.request(revokeApiKey, keys));
        return output.record({ id: keys.apiKeyId, revoked: true });
      }
      if (options.dryRun) return list(listApiKeys, keys);
      const revoked = await ask((bus) => changeAll(() => bus.request(revokeApiKeys, keys)));
      return output.record({ realm_guid: keys.realmGuid, revoked });
    });

  const expire = addCommand(key, 'expire', {
    description: 'let an API key, or the selected keys of a realm, expire earlier',
    examples: ['key expire 7 --in 2h', 'key expire --realm 3fe5e9b6-… --older-than 90d --in 7d'],
  })
    .argument('[id]', 'the id of the key, as list shows it', idArgument)
    .requiredOption('--in <time>', 'after this time at the latest, such as 2h', durationArgument);
  addKeySelectionOptions(expire).handle(
    async ({ output, ask }, id: number | undefined, options: ExpireOptions) => {
      const keys = { ...changedKeys(id, options), inSeconds: options.in };
      if ('apiKeyId' in keys) {
        const { expires_at } = await ask((bus) => bus.request(shortenApiKey, keys));
        return output.record({ id: keys.apiKeyId, expires_at });
      }
      const shortened = await ask((bus) => changeAll(() => bus.request(shortenApiKeys, keys)));
      return output.record({ realm_guid: keys.realmGuid, shortened });
    },
  );
}

/** Adds the options that select API keys of a realm. */
const addKeySelectionOptions = (command: OperatorCommand): OperatorCommand =>
  command
    .option('--realm <guid>', 'the keys of this realm', argumentOf(guid))
    .option('--user <email>', 'of these, those of this user', argumentOf(emailAddress))
    .option('--older-than <time>', 'created at least so long ago, such as 90d', durationArgument)
    .option('--unused-for <time>', 'neither used nor created for so long', durationArgument);

/** What the options select within a realm, or everywhere. */
const filtersOf = (options: KeySelectionOptions): ApiKeyFilters =>
  apiKeyFilters.parse({
    userEmail: options.user,
    olderThanSeconds: options.olderThan,
    unusedForSeconds: options.unusedFor,
  });

/**
 * What a command changes: one key, or the selected keys of a realm.
 *
 * @throws {UsageError} when the arguments name neither or both
 */
function changedKeys(
  id: number | undefined,
  options: KeySelectionOptions,
): { readonly apiKeyId: number } | ({ readonly realmGuid: string } & ApiKeyFilters) {
  const { realm, user, olderThan, unusedFor } = options;
  const selects = [realm, user, olderThan, unusedFor].some((option) => option !== undefined);
  if (id !== undefined && !selects) return { apiKeyId: id };
  if (id !== undefined) throw new UsageError('name the id of a key, or select keys by options');
  if (realm === undefined) throw new UsageError('name the id of a key, or a realm with --realm');
  return { realmGuid: realm, ...filtersOf(options) };
}

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
