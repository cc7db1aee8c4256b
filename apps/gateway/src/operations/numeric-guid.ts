import { Failure } from '@registrar/contracts';
import type { RequestParameters } from '../parameters/request-parameters.ts';
import type { Operation } from './operation.ts';

const guidParameters = ['course_guid', 'registration_guid'];

const isNumber = (text: string) => /^\d{1,10}$/.test(text);

/**
 * Adds to a 404 that the request names a course or registration by a number, which is probably the id of its record: they
 * are named by their GUIDs. Other errors are returned unchanged.
 */
export function explainNumericGuid(
  error: unknown,
  {
    operation,
    path,
  }: { readonly operation: Operation; readonly path: Readonly<Record<string, string>> },
  given: RequestParameters,
): unknown {
  if (!(error instanceof Failure) || error.code !== 'not-found') return error;
  const { id, registration_guid: guid = operation.hasTextId ? id : undefined } = path;
  const hasGuid = /^(course|registration) /.test(operation.name);
  const inPath = hasGuid && guid !== undefined && isNumber(guid);
  const parameter = guidParameters.find((name) => given.get(name)?.some(isNumber));
  if (!inPath && parameter === undefined) return error;
  const place = inPath ? 'the path' : parameter;
  const reason = `${error.message}: ${place} takes a GUID, and the request has a number, such as an id`;
  return new Failure('not-found', reason, undefined, { ...(!inPath && { parameter }) });
}
