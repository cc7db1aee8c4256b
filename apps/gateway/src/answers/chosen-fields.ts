import { Failure } from '#libs/contracts';
import {
  allFields,
  type FieldSet,
  fieldSets,
  type Format,
  type RecordDescription,
  selectFields,
  type Selection,
} from '#libs/formats';
import { type GivenParameters, single } from '../parameters/given-parameters.ts';

/**
 * The field set that `template` or `api_template` names (decision 17); `public` by default.
 *
 * @throws {Failure} `invalid` for an unknown one
 */
export function chosenFieldSet(given: GivenParameters): FieldSet {
  const named = single(given, 'api_template') ?? single(given, 'template') ?? 'public';
  const set = fieldSets.find((each) => each === named);
  if (set) return set;
  throw new Failure('invalid', 'template or api_template names no field set');
}

/**
 * What of a record the request wants to see: `fields` before a field set.
 *
 * @throws {Failure} `invalid` for an unknown field or field set
 */
export function chosenFields(
  record: RecordDescription,
  format: Format,
  given: GivenParameters,
): Selection {
  const set = record.sets[chosenFieldSet(given)];
  const fields = single(given, 'fields') ?? set?.join(',');
  return fields === undefined ? allFields(record, format) : selectFields(record, format, fields);
}
