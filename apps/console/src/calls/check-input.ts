import { Failure } from '@registrar/contracts';
import type * as z from 'zod';
import { type RealmRole, reaches, roleIn } from '../sessions/roles.ts';
import type { Call, CallUser } from './define-call.ts';

/** What was asked for, after access and input were checked. */
export interface CheckedInput<Input> {
  readonly input: Input;
  /** The user's role in the realm that the input names; null where the access is not that of a realm. */
  readonly role: RealmRole | null;
}

/**
 * Checks who may ask for something, and the input.
 *
 * @throws {Failure} `unauthenticated` without the role, `invalid`
 */
export function checkInput<Input extends z.ZodObject>(
  { access, input }: Pick<Call<Input>, 'access' | 'input'>,
  given: unknown,
  { roles }: Pick<CallUser, 'roles'>,
): CheckedInput<z.output<Input>> {
  if (access.kind === 'installation' && !roles.operator) throw outOfReach();
  let role: RealmRole | null = null;
  if (access.kind === 'realm') {
    // Before the input is parsed, so that its faults show nothing to a user without the role.
    const realm = (given as { realm?: unknown } | null)?.realm;
    const held = typeof realm === 'string' ? roleIn(roles, realm) : undefined;
    if (held === undefined || !reaches(held, access.role)) throw outOfReach();
    role = held;
  }
  const parsed = input.safeParse(given);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => path.map(String).join('.') || 'input');
    throw new Failure('invalid', `malformed: ${[...new Set(fields)].join(', ')}`);
  }
  return { input: parsed.data, role };
}

const outOfReach = () => new Failure('unauthenticated', 'your role does not reach this');
