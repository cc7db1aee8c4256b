import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';
import type * as z from 'zod';
import { operations } from '../operations/operation-table.ts';
import { openApi } from './open-api.ts';
import { accessParameters } from '../access/access-mode.ts';
import { exampleOf } from './examples.ts';
import type { JsonSchema } from './record-schema.ts';

type Content = Readonly<
  Record<string, { readonly schema: JsonSchema; readonly examples?: object } | undefined>
>;

interface DocumentedParameter {
  readonly name?: string;
  readonly $ref?: string;
  readonly deprecated?: boolean;
  readonly schema?: JsonSchema;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly 'x-alias-of'?: string;
  readonly security?: readonly object[];
  readonly parameters: readonly DocumentedParameter[];
  readonly responses: Readonly<
    Record<string, { readonly headers?: object; readonly content: Content } | undefined>
  >;
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
}

const documentedOperations = (document: JsonSchema) =>
  Object.values(document['paths'] as Record<string, Record<string, DocumentedOperation>>).flatMap(
    (methods) => Object.values(methods),
  );

const jsonBodyOf = ({ requestBody }: Pick<DocumentedOperation, 'requestBody'>) =>
  requestBody?.content['application/json'];

const propertiesOf = (schema: JsonSchema | undefined) =>
  (schema?.['properties'] ?? {}) as Record<string, JsonSchema>;

const document = openApi(operations, '/api/v2', 'json');
const documented = (id: string) =>
  documentedOperations(document).find(({ operationId }) => operationId === id);
const parametersOf = (id: string) =>
  Object.fromEntries(documented(id)!.parameters.map((each) => [each.name, each]));
const { schemas } = document['components'] as {
  schemas: Record<string, { properties: Record<string, JsonSchema>; required: string[] }>;
};

describe('the OpenAPI document', () => {
  it('documents every route of every operation', () => {
    const paths = document['paths'] as Record<string, Record<string, unknown>>;
    const routes = Object.values(paths).flatMap((path) => Object.keys(path));
    expect(routes).toHaveLength(operations.flatMap(({ routes }) => routes).length);
  });

  it.each([
    ['json', 'application/json'],
    ['xml', 'application/xml'],
    ['csv', 'text/csv'],
  ] as const)('describes one type of successful response in the format %s', (format, type) => {
    const of = openApi(operations, '/api/v2', format);
    expect(Object.keys(of['paths'] as object).every((path) => path.endsWith(`.${format}`))).toBe(
      true,
    );
    const types = documentedOperations(of).map(({ responses }) =>
      Object.keys((responses['200'] ?? responses['201'])!.content),
    );
    expect(new Set(types.map(String))).toEqual(new Set([type]));
  });

  it('names each operation by its resource and action, and marks what existing clients call', () => {
    const named = documentedOperations(document).map((each) => [
      each.operationId,
      each['x-alias-of'],
    ]);
    expect(named.filter(([, alias]) => !alias).map(([id]) => id)).toEqual([
      ...['apiKeys.create', 'apiKeys.deleteOwn', 'apiKeys.renew', 'apiKeys.delete'],
      ...['courses.list', 'courses.create', 'courses.get', 'courses.update', 'courses.delete'],
      'courses.check',
      'courseProviders.list',
      ...['registrations.list', 'registrations.create', 'registrations.get'],
      ...['registrations.update', 'registrations.delete', 'registrations.mergeCustom'],
      'registrations.launchUrl',
      ...['invitations.list', 'invitations.create', 'invitations.get', 'invitations.update'],
      ...['invitations.delete', 'invitations.updateByName', 'invitations.addLearners'],
      ...['realmUsers.list', 'realmUsers.create', 'realmUsers.updateByEmail', 'realmUsers.update'],
      ...['realmUsers.mergeCustom', 'realmUsers.autocomplete'],
      ...['templates.list', 'templates.create', 'templates.update', 'templates.delete'],
      'templates.updateByName',
      ...['storedQueries.initialize', 'storedQueries.run', 'storedQueries.delete'],
      'util.reportageUrls',
    ]);
    expect(named).toContainEqual(['registrations.gcreate', 'registrations.create']);
    expect(named).toContainEqual(['invitations.gupdate', 'invitations.update']);
    expect(named).toContainEqual(['storedQueries.runFormer', 'storedQueries.run']);
    const ids = named.map(([id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const forExisting = documentedOperations(document).filter(({ tags }) =>
      tags.includes('existing-clients'),
    );
    expect(forExisting.map((each) => each['x-alias-of'] ?? each.operationId)).toEqual([
      ...named.flatMap(([, alias]) => alias ?? []),
      'util.reportageUrls',
    ]);
  });

  it('the document has one schema for each record, with required fields', () => {
    expect(Object.keys(schemas)).toEqual([
      ...[
        'ApiKey',
        'DeletedApiKey',
        'Course',
        'Finding',
        'CourseProvider',
        'Registration',
        'Launch',
      ],
      ...['Invitation', 'AddedLearners', 'RealmUser', 'Template', 'StoredQuery'],
      ...['ReportageUrls', 'QueryRow', 'Problem'],
    ]);
    const { properties, required } = schemas['Registration']!;
    expect(required).toContain('registration_guid');
    expect(properties['complete']).toEqual({
      type: 'string',
      enum: ['unknown', 'incomplete', 'complete'],
    });
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    expect(optional).toEqual([
      ...['hosted_app_id', 'hosted_course_id', 'active', 'course_provider_id', 'course_id'],
      ...['scorm_cloud_app_id', 'scorm_cloud_course_id', 'synced_at'],
    ]);
    expect(documented('registrations.list')?.responses['200']?.content).toMatchObject({
      'application/json': {
        schema: { type: 'array', items: { $ref: '#/components/schemas/Registration' } },
      },
    });
  });

  it('requires bodies with required parameters, and types parameters as the API takes them', () => {
    const create = documented('registrations.create')!;
    expect(create.requestBody?.required).toBe(true);
    expect(jsonBodyOf(create)?.schema).toMatchObject({
      required: ['course_guid'],
      properties: { dont_duplicate: { type: 'boolean' } },
    });
    const invitation = documented('invitations.create')!;
    expect(invitation.requestBody?.required).toBe(false);
    expect(propertiesOf(jsonBodyOf(invitation)?.schema)).toMatchObject({
      course_guids: { type: 'array', items: { type: 'string' }, maxItems: 1000 },
      license_data: { type: 'object', additionalProperties: { type: 'object' } },
      license: { type: 'boolean' },
      invitation_template_id: { type: 'integer' },
    });
    const form = invitation.requestBody?.content['application/x-www-form-urlencoded'];
    expect(propertiesOf(form?.schema)['course_guids']).toMatchObject({
      type: 'string',
      contentMediaType: 'application/json',
    });
    expect(parametersOf('registrations.list')).toMatchObject({
      crawl: { schema: { type: 'boolean' } },
      max_age: { schema: { type: 'integer' }, example: 60 },
      'course_guid[]': { schema: { type: 'array' } },
    });
    expect(parametersOf('registrations.launchUrl')).toMatchObject({
      launching: { deprecated: true },
    });
    expect(parametersOf('templates.update')).toMatchObject({ id: { schema: { type: 'integer' } } });
  });

  it('lets a generated client send one access mode', () => {
    expect(document['security']).toEqual([{ bearer: [] }]);
    const others = documentedOperations(document).filter(({ security }) => security);
    expect(others.map((each) => each['x-alias-of'] ?? each.operationId)).toEqual(
      Array.from({ length: 4 }, () => 'apiKeys.create'),
    );
    expect(document['x-access-modes']).toEqual([
      { bearer: [] },
      { basic: [] },
      { sc_app_id: [], sc_secret_key: [] },
    ]);
  });

  it('describes the headers of responses', () => {
    const always = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];
    const headersOf = (id: string, status = '200') =>
      Object.keys(documented(id)?.responses[status]?.headers ?? {});
    expect(headersOf('courses.list')).toEqual([...always, 'ETag', 'Link', 'X-Total-Count']);
    expect(headersOf('registrations.list')).toEqual([...always, 'Link', 'X-Total-Count', 'Age']);
    expect(headersOf('storedQueries.run')).toEqual([...always, 'Age']);
    expect(headersOf('registrations.create', '201')).toEqual([...always, 'Idempotency-Replayed']);
    expect(headersOf('courses.check')).toEqual(always);
    const { responses } = document['components'] as { responses: Record<string, object> };
    expect(responses['error503']).toHaveProperty('headers.Retry-After');
  });

  it('links each operation to an anchor of the contract', () => {
    const missing = documentedOperations(document).flatMap(({ description }) => {
      const [, page = '', anchor = ''] =
        /contract\/([\w-]+\.md)#([\w-]+)\)/.exec(description) ?? [];
      const text = readFileSync(
        new URL(`../../../../docs/contract/${page}`, import.meta.url),
        'utf8',
      );
      return text.includes(`<a id="${anchor}"></a>`) ? [] : [description];
    });
    expect(missing).toEqual([]);
  });

  it('the OpenAPI document has a description of every parameter', () => {
    const missing = operations.flatMap(({ name, parameters }) =>
      Object.entries(parameters.shape)
        .filter(([, schema]) => !(schema as z.ZodType).description)
        .map(([parameter]) => `${name}: ${parameter}`),
    );
    expect(missing).toEqual([]);
  });

  it('lists each parameter of an operation once, and access only as security', () => {
    const problems = documentedOperations(document).flatMap(({ operationId, ...operation }) => {
      const names = [
        ...operation.parameters.map(({ name, $ref }) => name ?? $ref?.split('/').at(-1) ?? ''),
        ...Object.keys(propertiesOf(jsonBodyOf(operation)?.schema)),
      ];
      const repeated = names.filter((name, index) => names.indexOf(name) !== index);
      const access = names.filter((name) => accessParameters.includes(name));
      return [...repeated, ...access].map((name) => `${operationId}: ${name}`);
    });
    expect(problems).toEqual([]);
  });

  it('offers uploads as a multipart form, and other bodies as JSON or a form', () => {
    const types = documentedOperations(document).flatMap(({ operationId, requestBody }) =>
      requestBody ? [[operationId, Object.keys(requestBody.content).join(' ')]] : [],
    );
    const multipart = types.filter(([, type]) => type === 'multipart/form-data');
    expect(multipart.map(([id]) => id)).toEqual(['courses.create', 'courses.check']);
    const others = types.filter((each) => !multipart.includes(each)).map(([, type]) => type);
    expect([...new Set(others)]).toEqual(['application/json application/x-www-form-urlencoded']);
  });

  it("the OpenAPI document has a place for a stored query's own parameters", () => {
    expect(documented('storedQueries.run')?.parameters).toContainEqual(
      expect.objectContaining({ in: 'query', explode: true, example: {} }),
    );
  });

  it('the OpenAPI document has an example of its own for each route that creates an item with a unique name', () => {
    const problems = operations.flatMap(({ name, parameters, routes }) =>
      Object.entries(parameters.shape).flatMap(([parameter, schema]) => {
        const examples = (schema as z.ZodType).meta()?.examples as unknown[] | undefined;
        const complete = !examples || new Set(examples).size === routes.length;
        return complete ? [] : [`${name}: ${parameter}`];
      }),
    );
    expect(problems).toEqual([]);
  });

  it('the document has no example of a GUID that only one system knows', () => {
    const guid = /[\da-f]{8}-[\da-f]{4}-/;
    const parameters = documentedOperations(document).flatMap((each) => each.parameters);
    expect(JSON.stringify(parameters)).not.toMatch(guid);
  });

  it('the OpenAPI document has a recorded example for every operation', () => {
    expect(operations.filter(({ name }) => !exampleOf(name)).map(({ name }) => name)).toEqual([]);
  });
});

describe('the API reference', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());

  it('loads all of its parts from the gateway', async () => {
    const origin = new URL(gateway.base).origin;
    const text = async (path: string) => {
      const response = await fetch(origin + path);
      expect([path, response.status]).toEqual([path, 200]);
      return response.text();
    };
    const page = await text('/docs');
    const parts = [...page.matchAll(/(?:src|href|value)="(\/[^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(parts.filter((path) => path.startsWith('/docs/guides/'))).toHaveLength(6);
    expect(parts.filter((path) => !path.startsWith('/docs/guides/'))).toEqual([
      '/docs/files/swagger-ui.css',
      ...['/api/v2/openapi.json', '/api/v2/openapi-xml.json', '/api/v2/openapi-csv.json'],
      ...['/docs/files/swagger-ui-bundle.js', '/docs/show.js'],
    ]);
    for (const path of parts) expect((await text(path)).length).toBeGreaterThan(50);
    expect(page).toContain('<title>Registrar API reference</title>');
    expect(page).toContain('<strong>Registrar</strong>');
    expect(JSON.parse(await text('/api/v2/openapi.json'))).toMatchObject({ openapi: '3.1.0' });
  });

  it('shows the guides as pages with the anchors of the contract', async () => {
    const origin = new URL(gateway.base).origin;
    const guide = await fetch(`${origin}/docs/guides/contract/courses.md`);
    expect(guide.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(guide.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await guide.text();
    expect(html).toContain('<a id="include-registrations"></a>');
    expect(html).toMatch(/<h2 id="[\w-]+">/);
    for (const path of ['contract/none.md', '..%2Fpackage.json', '../../package.json']) {
      expect((await fetch(`${origin}/docs/guides/${path}`)).status).toBe(404);
    }
  });
});
