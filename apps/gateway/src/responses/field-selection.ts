import {
  selectAllFields,
  fieldSets,
  type Format,
  type RecordDefinition,
  selectFields,
  type FieldSelection,
} from '@registrar/formats';
import {
  invalidParameter,
  type RequestParameters,
  singleValue,
} from '../parameters/request-parameters.ts';

/** The parameters that choose the fields of a response. */
export const selectingParameters = ['fields', 'template', 'api_template'] as const;

/** The longest value of `fields` (contract/parameters#fields-unknown). */
const maxLength = 10_000;

/**
 * The field set that `api_template` or `template` names (contract/parameters#template); `public`
 * by default.
 *
 * @param own further field sets that the record has
 * @throws {Failure} `invalid` when there is no such field set
 */
export function parseFieldSet(given: RequestParameters, own: readonly string[] = []): string {
  const named = singleValue(given, 'api_template') ?? singleValue(given, 'template') ?? 'public';
  if ([...fieldSets, ...own].includes(named)) return named;
  throw invalidParameter('template', 'template or api_template names no field set');
}

/**
 * The fields that the response shows. `fields` takes precedence over a field set
 * (contract/parameters#fields-before-template).
 *
 * @throws {Failure} `invalid` for an unknown field or field set
 */
export function parseFieldSelection(
  record: RecordDefinition,
  format: Format,
  given: RequestParameters,
): FieldSelection {
  const set = record.sets[parseFieldSet(given, Object.keys(record.sets))];
  const fields = singleValue(given, 'fields') ?? set?.join(',');
  if (fields !== undefined && fields.length > maxLength) {
    throw invalidParameter('fields', `fields has more than ${maxLength} characters`);
  }
  return fields === undefined
    ? selectAllFields(record, format)
    : selectFields(record, format, fields);
}
