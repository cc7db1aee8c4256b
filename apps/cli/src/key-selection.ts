import {
  apiKeyFilters,
  type ApiKeyFilters,
  type EmailAddress,
  emailAddress,
  guid,
} from '@registrar/contracts';
import { argumentOf, durationArgument } from './arguments.ts';
import type { OperatorCommand } from './command.ts';
import { UsageError } from './terminal.ts';

/** The options that select API keys. */
export interface KeySelectionOptions {
  readonly realm?: string;
  readonly user?: EmailAddress;
  readonly olderThan?: number;
  readonly unusedFor?: number;
}

/** Adds the options that select API keys of a realm. */
export const addKeySelectionOptions = (command: OperatorCommand): OperatorCommand =>
  command
    .option('--realm <guid>', 'the keys of this realm', argumentOf(guid))
    .option('--user <email>', 'of these, those of this user', argumentOf(emailAddress))
    .option('--older-than <time>', 'created at least so long ago, such as 90d', durationArgument)
    .option('--unused-for <time>', 'neither used nor created for so long', durationArgument);

/** What the options select within a realm, or everywhere. */
export const filtersOf = (options: KeySelectionOptions): ApiKeyFilters =>
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
export function changedKeys(
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
