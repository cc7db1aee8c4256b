import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';
import { operations } from '../operations/all-operations.ts';
import { openApi } from './open-api.ts';
import { exampleOf } from './examples.ts';
import { descriptionOf, parameterDescriptions } from './parameter-descriptions.ts';

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

  it('has every route of every operation', () => {
    const paths = document['paths'] as Record<string, Record<string, unknown>>;
    const documented = Object.values(paths).flatMap((path) => Object.keys(path));
    expect(documented).toHaveLength(operations.flatMap(({ routes }) => routes).length);
  });

  it('describes parameters that there are, and all of them', () => {
    const used = operations.flatMap(({ name, parameters }) =>
      Object.keys(parameters.shape).map((parameter) => {
        descriptionOf(name, parameter);
        const own = `${name}.${parameter}`;
        return own in parameterDescriptions ? own : parameter;
      }),
    );
    expect(Object.keys(parameterDescriptions).filter((name) => !used.includes(name))).toEqual([]);
  });

  it('shows a recorded answer for every operation', () => {
    expect(operations.filter(({ name }) => !exampleOf(name)).map(({ name }) => name)).toEqual([]);
  });
});

describe('the reference', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());

  it('is served with all that it needs, from here alone', async () => {
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
