import type { Parameters } from '@registrar/conformance';
import type { Installation } from '@registrar/conformance';
import type { DocumentedOperation } from './open-api-document.ts';
import type { OpenApiFixture } from './open-api-fixture.ts';
import { parametersFor } from './open-api-requests.ts';

interface ErrorRequest {
  readonly format: string;
  readonly item: string;
  readonly access: Parameters;
  readonly parameters: Parameters;
}

const unknownId = '2147483647';

/** Parameters that name no item, for operations whose path does not name the item. */
const unknownNames: Readonly<Record<string, Parameters>> = {
  'api_key create': { course_provider_id: unknownId },
  'course create': { course_guid: 'no-such-course' },
  'registration create': { course_guid: 'no-such-course' },
  'invitation create': { course_guids: '["no-such-course"]' },
  'invitation update': { name: 'no such invitation' },
  'invitation add_learners': { name: 'no such invitation' },
  'realm_user update': { email: 'nobody@example.com' },
  'realm_user gcustom': { email: 'nobody@example.com' },
  'template update': { name: 'no such template' },
  'run index': { name: 'no_such_query' },
  'stored_query run': { name: 'no_such_query' },
};

/** Operations that accept parameters of any name. */
const acceptsAnyParameter = ['stored_query run', 'realm_user gcustom', 'registration gcustom'];

/**
 * Yields a request for each documented error status, except 403, 503 and 504: these need a course
 * provider that fails (open-api-provider-errors.ts).
 */
export async function* errorRequests(
  operation: DocumentedOperation,
  facts: OpenApiFixture,
  on: Installation,
): AsyncGenerator<readonly [status: number, request: ErrorRequest]> {
  const access = await facts.access(operation);
  const existing = await facts.item(operation);
  const good = (more: Parameters = {}): ErrorRequest => ({
    format: 'json',
    item: existing,
    access,
    parameters: { ...parametersFor(operation, facts, 'needed'), ...more },
  });
  yield [401, { ...good(), access: {} }];
  yield [406, good({ format: 'pdf' })];
  if (!operation.path.includes('{id}')) yield [406, { ...good(), format: 'pdf' }];
  if (!acceptsAnyParameter.includes(operation.name)) yield [500, good({ color: 'blue' })];
  yield [500, good({ template: 'no_such_set' })];
  yield [501, { ...good(), access: { ...on.realm, ...facts.key } }];
  if (/\{(?!format)/.test(operation.path)) {
    const item = operation.path.includes('{registration_guid}') ? 'no-such' : unknownId;
    yield [404, { ...good(), item }];
  } else if (operation.name !== 'api_key delete') {
    yield [404, good(unknownNames[operation.name])];
  }
  yield [302, good(facts.existingItem(operation))];
}
