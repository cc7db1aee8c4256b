import { Failure } from '#libs/contracts';
import {
  allFields,
  type Format,
  type RecordDescription,
  selectFields,
  type Selection,
} from '#libs/formats';
import { type GivenParameters, single } from '../parameters/given-parameters.ts';

/** The field sets that `template` and `api_template` name (decision 17). */
const templates = ['public', 'public_minimum', 'extended'];

/**
 * What of a record the request wants to see: `fields` before `template` and `api_template`.
 *
 * @throws {Failure} `invalid` for an unknown field or field set
 */
export function chosenFields(
  record: RecordDescription,
  format: Format,
  given: GivenParameters,
): Selection {
  const named = ['template', 'api_template'].map((name) => single(given, name));
  for (const template of named) {
    if (template !== undefined && !templates.includes(template)) {
      throw new Failure('invalid', 'template or api_template names no field set');
    }
  }
  const fields = single(given, 'fields');
  if (fields !== undefined) return selectFields(record, format, fields);
  return named.includes('public_minimum') && record.minimum.length > 0
    ? selectFields(record, format, record.minimum.join(','))
    : allFields(record, format);
}
