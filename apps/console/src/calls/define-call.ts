import type { BusClient } from '@registrar/bus';
import { type AccessScope, guid } from '@registrar/contracts';
import * as z from 'zod';
import type { Installation } from '../overview/installation.ts';
import type { ConsoleRoles, RealmRole } from '../sessions/roles.ts';

/** Who asks. */
export interface CallUser {
  /** As the audit log has it: the e-mail address, or the identity provider's subject. */
  readonly name: string;
  readonly roles: ConsoleRoles;
}

/** What the handler of every call gets. */
export interface CallContext {
  /** Its requests carry the user, the request id and the deadline of the call. */
  readonly bus: BusClient;
  readonly user: CallUser;
  /** What the apps report of themselves. */
  readonly installation: Installation;
  /** Where course providers send postbacks (the setting POSTBACK_URL); null where the installation takes none. */
  readonly postbackBase: string | null;
}

/** What the handler of a call about a realm gets. */
export interface RealmCallContext extends CallContext {
  /** The realm with all its provider applications, and the permissions of the user's role. */
  readonly scope: AccessScope;
  readonly role: RealmRole;
}

/** Who may make a call. */
export type CallAccess =
  /** Whoever is signed in. */
  | { readonly kind: 'session' }
  /** Operators. */
  | { readonly kind: 'installation' }
  /** Whoever has at least this role in the realm that the input names, and operators. */
  | { readonly kind: 'realm'; readonly role: RealmRole };

interface CallParts {
  /** Whether the call changes something: the client does not repeat it, and no stream may watch it. */
  readonly changes?: true;
  /** A stream may watch the call, which is made again after so many seconds. Only for calls that change nothing. */
  readonly live?: number;
}

/** A question of the client, or something that it wants done. */
export interface Call<Input extends z.ZodObject = z.ZodObject, Reply = unknown> extends CallParts {
  readonly access: CallAccess;
  readonly input: Input;
  /** Called with parsed input, after the access was checked; `scope` and `role` stand in the context of a realm's call. */
  handle(context: RealmCallContext, input: z.output<Input>): Promise<Reply>;
}

interface GivenCall<
  Context extends CallContext,
  Input extends z.ZodObject,
  Reply,
> extends CallParts {
  readonly handle: (context: Context, input: z.output<Input>) => Promise<Reply>;
}

/** Defines a call that whoever is signed in may make. */
export const sessionCall = <Input extends z.ZodObject, Reply>(
  call: GivenCall<CallContext, Input, Reply> & { readonly input: Input },
): Call<Input, Reply> => ({ access: { kind: 'session' }, ...call });

/** Defines a call that only operators may make. */
export const installationCall = <Input extends z.ZodObject, Reply>(
  call: GivenCall<CallContext, Input, Reply> & { readonly input: Input },
): Call<Input, Reply> => ({ access: { kind: 'installation' }, ...call });

/** What every call about a realm has in its input. */
const realmInput = { realm: guid };
type WithRealm<Input extends z.ZodObject> = z.ZodObject<Input['shape'] & typeof realmInput>;

/**
 * Defines a call about the realm that its input names as `realm`, for whoever has at least `role` in it.
 *
 * @example
 * ```ts
 * export const listCourses = realmCall({
 *   role: 'reader',
 *   input: z.object({ ...callPage }),
 *   handle: ({ bus, scope }, { cursor, limit }) => bus.page(indexCourses, { scope, … }, { cursor, limit }),
 * });
 * ```
 */
export function realmCall<Input extends z.ZodObject, Reply>({
  role,
  input,
  ...call
}: GivenCall<RealmCallContext, WithRealm<Input>, Reply> & {
  readonly role: RealmRole;
  readonly input: Input;
}): Call<WithRealm<Input>, Reply> {
  return {
    access: { kind: 'realm', role },
    input: input.extend(realmInput),
    ...call,
  };
}

/** The largest page of a list. */
const maxPage = 200;

/** What a call that returns a page of a list has in its input. */
export const callPage = {
  /** The `next` of the page before; null for the first page. */
  cursor: z.string().max(512).nullable().default(null),
  limit: z.int().min(1).max(maxPage).default(50),
};

/** What the client gets for a call that fails, with the status of its code. */
export interface CallFailure {
  /** A code of `Failure`, or `signed-out` when the session has ended. */
  readonly code: string;
  /** The cause, in English; without secrets. */
  readonly message: string;
  readonly requestId: string;
  /** When the call may be made again. */
  readonly retryAfterSeconds?: number | undefined;
}
