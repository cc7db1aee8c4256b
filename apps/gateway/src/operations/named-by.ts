import { Failure } from '#libs/contracts';
import { idNumber } from '../parameters/parameter-types.ts';

type Named =
  { readonly by: 'id'; readonly id: number } | { readonly by: 'name'; readonly name: string };

/**
 * The item that an update names: by the `:id` of the path, and `name` is then its new name; or
 * else by its name.
 *
 * @throws {Failure} `not-found` when neither names one
 */
export function namedBy(
  id: string | undefined,
  name: string | undefined,
): { item: Named; newName: string | null } {
  if (id === undefined) {
    if (name === undefined) throw new Failure('not-found', 'neither an id nor a name is given');
    return { item: { by: 'name', name }, newName: null };
  }
  const number = idNumber.safeParse(id);
  if (!number.success) throw new Failure('not-found', 'the id is no number');
  return { item: { by: 'id', id: number.data }, newName: name ?? null };
}
