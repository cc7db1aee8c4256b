import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';
import type * as z from 'zod';
import { operations } from '../operations/operation-table.ts';
import { openApi } from './open-api.ts';
import { exampleOf } from './examples.ts';

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

  it('has a description of every parameter', () => {
    const missing = operations.flatMap(({ name, parameters }) =>
      Object.entries(parameters.shape)
        .filter(([, schema]) => !(schema as z.ZodType).description)
        .map(([parameter]) => `${name}: ${parameter}`),
    );
    expect(missing).toEqual([]);
  });

  it('has a recorded example for every operation', () => {
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
    expect(parts).toHaveLength(3);
    for (const path of parts) expect((await text(path)).length).toBeGreaterThan(50);
    expect(await text('/docs/show.js')).toContain('/api/v2/openapi.json');
    expect(JSON.parse(await text('/api/v2/openapi.json'))).toMatchObject({ openapi: '3.1.0' });
  });
});
