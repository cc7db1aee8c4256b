import { Failure } from '@registrar/contracts';
import { parse } from 'qs';
import type * as z from 'zod';
import { type RequestParameters, singleValue } from './request-parameters.ts';

/** How deeply values may be nested, and how many there may be (contract/parameters#custom-limits). */
const maxDepth = 10;
const maxValues = 5_000;

type JsonValue = z.core.util.JSONType;

const tooDeep = `values are nested more than ${maxDepth} levels deep`;

const invalid = (message: string) => new Failure('invalid', message);

/**
 * Parses the values that a request merges into `custom`: `a[b]=1` in brackets notation
 * (contract/parameters#custom-brackets), or JSON text (contract/parameters#custom-json).
 *
 * @throws {Failure} `invalid` for text that is not JSON, for values beyond the limits, and for the
 * name `__proto__`
 */
export function parseCustomValues(
  given: RequestParameters,
  format: 'brackets' | 'json',
): Record<string, JsonValue> {
  const values = format === 'json' ? parseJson(given) : parseBrackets(given);
  const budget = { left: maxValues };
  for (const [name, value] of Object.entries(values)) checkValue(name, value, 1, budget);
  return values;
}

const parseJson = (given: RequestParameters): Record<string, JsonValue> =>
  Object.fromEntries(
    [...given.keys()].map((name) => {
      try {
        return [name, JSON.parse(singleValue(given, name) ?? '') as JsonValue];
      } catch {
        throw invalid('a parameter is not JSON');
      }
    }),
  );

function parseBrackets(given: RequestParameters): Record<string, JsonValue> {
  if ([...given.keys()].some((name) => /(^|\[)__proto__(\]|\[|$)/.test(name))) {
    throw invalid('a parameter is named __proto__');
  }
  const form = Object.fromEntries(
    [...given].map(([name, values]) => [name, values.length === 1 ? values[0] : [...values]]),
  );
  try {
    // The type of qs has only text, but it parses an object of values too.
    const parsed = parse(form as Record<string, string>, {
      depth: maxDepth,
      strictDepth: true,
      arrayLimit: 1_000,
      plainObjects: true,
    });
    return JSON.parse(JSON.stringify(parsed)) as Record<string, JsonValue>;
  } catch (error) {
    if (error instanceof RangeError) throw invalid(tooDeep);
    throw error;
  }
}

function checkValue(name: string, value: JsonValue, depth: number, budget: { left: number }): void {
  if (name === '__proto__') throw invalid('a value is named __proto__');
  budget.left -= 1;
  if (budget.left < 0) throw invalid(`more than ${maxValues} values`);
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth) throw invalid(tooDeep);
  for (const [inner, each] of Object.entries(value)) checkValue(inner, each, depth + 1, budget);
}
