import { Failure } from '@registrar/contracts';
import { idParameter } from '../parameters/parameter-types.ts';

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
