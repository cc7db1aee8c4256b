import {
  type AccessScope,
  Failure,
  isBright,
  type Page,
  redirectUrl as redirectUrlSchema,
} from '@registrar/contracts';
import type { Row } from '@registrar/formats';
import type { OperationResult } from '../operations/operation.ts';
import { GatewayError } from '../responses/gateway-error.ts';

/*
 * What the gateway does otherwise for the clients of Bright (contract/compatibility), in realms that serve them. The
 * contexts have their part where they call isBright or allowsUserLicenses.
 */

type Scope = Pick<AccessScope, 'compatibility'>;

/**
 * Checks that the realm has the format `js` (contract/compatibility#format-js).
 *
 * @throws {GatewayError} 406
 */
export function requireScriptFormat(scope: Scope): void {
  if (!isBright(scope)) {
    throw new GatewayError(406, 'the format "js" is not json, xml or csv in this realm');
  }
}

/**
 * Checks that the realm accepts two access modes (contract/compatibility#two-modes).
 *
 * @throws {GatewayError} 501
 */
export function requireTwoModes(scope: Scope): void {
  if (!isBright(scope)) {
    throw new GatewayError(501, 'two access modes: the realm pair and another one');
  }
}

/** Whether the course index shows a user-bound key its registrations as arrays (contract/compatibility#course-index). */
export const listsOwnRegistrations = (scope: AccessScope): boolean =>
  scope.user !== null && isBright(scope);

/**
 * Returns the name of the member that a request merges into; null for `custom` itself
 * (contract/compatibility#gcustom-without-key).
 *
 * @throws {Failure} `invalid` without `key` in other realms (contract/parameters#custom-key)
 */
export function mergedKey(scope: Scope, key: string | undefined): string | null {
  if (key !== undefined) return key;
  if (isBright(scope)) return null;
  throw new Failure('invalid', 'key is not given');
}

/**
 * Returns the values of `name[]`, which is unknown in other realms (contract/compatibility#invitation-lists).
 *
 * @throws {Failure} `invalid` in other realms
 */
export function listedValues(
  scope: Scope,
  lists: Readonly<Record<string, string[] | undefined>>,
  name: string,
): string[] | null {
  const values = lists[name] ?? null;
  if (values === null || isBright(scope)) return values;
  throw new Failure('invalid', `unknown parameters: "${name}[]"`);
}

/**
 * Returns where the browser goes after a launch: with the registration that was launched
 * (contract/compatibility#launch-redirect).
 *
 * @throws {Failure} `invalid` when that is too long
 */
export function launchRedirect(
  scope: Scope,
  registrationGuid: string,
  redirectUrl: string | undefined,
): string | null {
  if (redirectUrl === undefined) return null;
  if (!isBright(scope)) return redirectUrl;
  const [address = '', fragment] = redirectUrl.split(/#(.*)/s);
  const separator = address.includes('?') ? '&' : '?';
  const launched = `bright_redirect_from_launch=${encodeURIComponent(registrationGuid)}`;
  const url = address + separator + launched + (fragment === undefined ? '' : `#${fragment}`);
  if (redirectUrlSchema.safeParse(url).success) return url;
  throw new Failure('invalid', 'redirect_url is too long with the registration');
}

/**
 * Returns the pages of a list with `last_only`, which is not empty (contract/compatibility#last-only).
 *
 * @throws {Failure} `not-found` with the first page
 */
export async function* requireLast<Item>(
  pages: AsyncIterable<Page<Item>>,
): AsyncGenerator<Page<Item>> {
  for await (const page of pages) {
    if (page.items.length === 0) throw new Failure('not-found', 'there is no such registration');
    yield page;
  }
}

/** Returns the result of an operation as the realm's clients know it (contract/compatibility#success-passed). */
export function presentResult(scope: Scope, result: OperationResult): OperationResult {
  if (!isBright(scope)) return result;
  if ('record' in result) return { ...result, record: withPassed(result.record) };
  return { ...result, pages: mapPages(result.pages, withPassed) };
}

/** A registration, or a record with registrations, whose success is `passed` in place of `succeeded`. */
function withPassed(row: Row): Row {
  const { success, registrations } = row;
  return {
    ...row,
    ...(success === 'succeeded' && { success: 'passed' }),
    ...(isRow(registrations) && { registrations: withPassed(registrations) }),
    ...(Array.isArray(registrations) && {
      registrations: registrations.map((each: unknown) => (isRow(each) ? withPassed(each) : each)),
    }),
  };
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function* mapPages(
  pages: AsyncIterable<Page<Row>>,
  present: (row: Row) => Row,
): AsyncGenerator<Page<Row>> {
  for await (const page of pages) yield { ...page, items: page.items.map(present) };
}
