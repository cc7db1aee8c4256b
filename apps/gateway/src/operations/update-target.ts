import { Failure } from '@registrar/contracts';
import { parsePathId } from './path-id.ts';

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
