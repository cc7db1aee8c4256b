import { Failure, guid } from '@registrar/contracts';
import { idParameter } from '../parameters/parameter-types.ts';

/**
 * Parses a GUID in a path.
 *
 * @throws {Failure} `not-found` when no record can have this GUID: it is too long or contains NUL
 */
export function parsePathGuid(part: string | undefined): string {
  const parsed = guid.safeParse(part);
  if (parsed.success && !parsed.data.includes('\0')) return parsed.data;
  throw new Failure('not-found', 'the path contains no valid GUID');
}

/**
 * Parses the numeric id of a record in a path.
 *
 * @throws {Failure} `not-found` when it is not a number, so that no record has it
 */
export function parsePathId(part: string | undefined): number {
  const number = idParameter.safeParse(part);
  if (number.success) return number.data;
  throw new Failure('not-found', 'the id is not a number');
}

type UpdateTarget =
  | { readonly by: 'id'; readonly id: number }
  | { readonly by: 'name'; readonly name: string };

/**
 * Says which record an update changes. With `:id` in the path, `name` is the record's new name;
 * without it, `name` identifies the record.
 *
 * @throws {Failure} `not-found` without id and name, and for an id that is not a number
 */
export function parseUpdateTarget(
  id: string | undefined,
  name: string | undefined,
): { target: UpdateTarget; newName: string | null } {
  if (id === undefined) {
    if (name === undefined) throw new Failure('not-found', 'neither an id nor a name is given');
    return { target: { by: 'name', name }, newName: null };
  }
  return { target: { by: 'id', id: parsePathId(id) }, newName: name ?? null };
}
