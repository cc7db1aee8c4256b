import { describe, expect, it } from 'vitest';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { formats } from '@registrar/formats';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { operations } from '../operations/operation-table.ts';
import { openApi } from './open-api.ts';

/** Rules of Redocly that are not among the recommended ones. */
const furtherRules = {
  'operation-description': 'warn',
  'operation-tag-defined': 'warn',
  'operation-singular-tag': 'warn',
  'parameter-description': 'warn',
  'path-params-defined': 'warn',
} as const;

describe.each(formats)('the OpenAPI document of the format %s', (format) => {
  const document = openApi(operations, '/api/v2', format);

  it('passes Redocly without warnings', async () => {
    const config = await createConfig({ extends: ['recommended'], rules: furtherRules });
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: 'openapi.json',
      config,
    });
    expect(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).toEqual([]);
  });

  it('passes Spectral without warnings', async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset(oas as RulesetDefinition);
    const problems = await linter.run(document);
    expect(problems.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([]);
  });
});
