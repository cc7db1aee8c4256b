import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';
import type * as z from 'zod';
import { operations } from '../operations/operation-table.ts';
import { openApi } from './open-api.ts';
import { accessParameters } from '../access/access-mode.ts';
import { exampleOf } from './examples.ts';
import type { JsonSchema } from './record-schema.ts';

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly responses: Readonly<
    Record<
      string,
      { content: Readonly<Record<string, { examples: object } | undefined>> } | undefined
    >
  >;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: { properties: object } } | undefined>>;
  };
}

const documentedOperations = (document: JsonSchema) =>
  Object.values(document['paths'] as Record<string, Record<string, DocumentedOperation>>).flatMap(
    (methods) => Object.values(methods),
  );

const formOf = ({ requestBody }: Pick<DocumentedOperation, 'requestBody'>) =>
  requestBody?.content['multipart/form-data'];

describe('the OpenAPI document', () => {
  const document = openApi(operations, '/api/v2');

  it('passes a public linter', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: 'openapi.json',
      config,
    });
    const errors = problems.filter((problem) => problem.severity === 'error');
    expect(
      errors.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).toEqual([]);
  });

  it('documents every route of every operation', () => {
    const paths = document['paths'] as Record<string, Record<string, unknown>>;
    const documented = Object.values(paths).flatMap((path) => Object.keys(path));
    expect(documented).toHaveLength(operations.flatMap(({ routes }) => routes).length);
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
        ...Object.keys(formOf(operation)?.schema.properties ?? {}),
      ];
      const repeated = names.filter((name, index) => names.indexOf(name) !== index);
      const access = names.filter((name) => accessParameters.includes(name));
      return [...repeated, ...access].map((name) => `${operationId}: ${name}`);
    });
    expect(problems).toEqual([]);
  });

  it('offers uploads as a multipart form first, and other bodies as a form', () => {
    const first = documentedOperations(document).flatMap(({ operationId, requestBody }) =>
      requestBody ? [[operationId, Object.keys(requestBody.content)[0]]] : [],
    );
    const multipart = first.filter(([, type]) => type === 'multipart/form-data');
    expect(multipart).toEqual([['post_course', 'multipart/form-data']]);
    const others = first.filter(([id]) => id !== 'post_course').map(([, type]) => type);
    expect([...new Set(others)]).toEqual(['application/x-www-form-urlencoded']);
  });

  it("the OpenAPI document has a place for a stored query's own parameters", () => {
    const run = documentedOperations(document).find(({ operationId }) => operationId === 'get_run');
    expect(run?.parameters).toContainEqual(
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

  it('shows courses with and without include_registrations', () => {
    const index = documentedOperations(document).find(
      ({ operationId }) => operationId === 'get_course',
    );
    const examples = index?.responses['200']?.content['application/json']?.examples;
    expect(examples).toMatchObject({
      default: { value: [{ registrations: 0 }] },
      include_registrations: { value: [{ registrations: { complete: 'complete' } }, {}] },
    });
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
    const parts = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(parts.filter((path) => path.startsWith('/docs/guides/'))).toHaveLength(4);
    expect(parts.filter((path) => !path.startsWith('/docs/guides/'))).toHaveLength(3);
    for (const path of parts) expect((await text(path)).length).toBeGreaterThan(50);
    expect(page).toContain('<title>Registrar API reference</title>');
    expect(page).toContain('<strong>Registrar</strong>');
    expect(page).toContain('/api/v2/openapi.json');
    expect(await text('/docs/guides/contract/courses.md')).toContain('include_registrations');
    const guide = await fetch(`${origin}/docs/guides/queries.md`);
    expect(guide.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(JSON.parse(await text('/api/v2/openapi.json'))).toMatchObject({ openapi: '3.1.0' });
  });
});
