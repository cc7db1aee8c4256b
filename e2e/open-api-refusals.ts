import type { Parameters } from '../conformance/client.ts';
import type { Installation } from '../conformance/installation.ts';
import type { DocumentedOperation } from './open-api-document.ts';
import type { Facts } from './open-api-facts.ts';
import { parametersFor } from './open-api-requests.ts';

interface RefusedRequest {
  readonly format: string;
  readonly item: string;
  readonly access: Parameters;
  readonly parameters: Parameters;
}

const unknownId = '2147483647';

/** Names nothing, by operation, where the path does not name the item. */
const unknown: Readonly<Record<string, Parameters>> = {
  'api_key create': { course_provider_id: unknownId },
  'course create': { course_guid: 'no-such-course' },
  'registration create': { course_guid: 'no-such-course' },
  'invitation create': { course_guids: '["no-such-course"]' },
  'invitation update': { name: 'no such invitation' },
  'invitation add_learners': { name: 'no such invitation' },
  'realm_user update': { email: 'nobody@example.com' },
  'template update': { name: 'no such template' },
  'run index': { name: 'no_such_query' },
};

/**
 * One request for each documented refusal, with its status. 403, 503 and 504 need a course
 * provider that refuses or is away, and are tried beside it.
 */
export function* refusedRequests(
  operation: DocumentedOperation,
  facts: Facts,
  on: Installation,
): Generator<readonly [status: number, request: RefusedRequest]> {
  // A key makes no keys.
  const access = operation.name === 'api_key create' ? on.realm : facts.key;
  const good = (more: Parameters = {}): RefusedRequest => ({
    format: 'json',
    item: facts.item(operation),
    access,
    parameters: { ...parametersFor(operation, facts, 'needed'), ...more },
  });
  yield [401, { ...good(), access: {} }];
  yield [406, good({ format: 'pdf' })];
  if (!operation.path.includes('{id}')) yield [406, { ...good(), format: 'pdf' }];
  yield [500, good({ colour: 'blue' })];
  yield [500, good({ template: 'no_such_set' })];
  yield [501, { ...good(), access: { ...on.realm, ...facts.key } }];
  if (/\{(?!format)/.test(operation.path)) {
    const item = operation.path.includes('{registration_guid}') ? 'no-such' : unknownId;
    yield [404, { ...good(), item }];
  } else {
    yield [404, good(unknown[operation.name])];
  }
  yield [302, good(facts.taken(operation))];
}
