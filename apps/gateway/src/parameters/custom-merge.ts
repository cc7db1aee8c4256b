import { customMerge } from '@registrar/contracts';
import type * as z from 'zod';
import { parseCustomValues } from './custom-values.ts';
import { flag } from './parameter-types.ts';
import type { RequestParameters } from './request-parameters.ts';

/** The parameters of the operations that merge all others into `custom` (contract/parameters#custom-merge). */
export const customMergeParameters = {
  key: customMerge.shape.key
    .refine((key) => key !== '__proto__')
    .meta({
      description: 'The member of `custom` that all other parameters are merged into.',
      example: 'client',
    }),
  php_json_encoded: flag.meta({
    description: 'The other parameters are JSON text.',
    example: 'f',
  }),
};

/** The part of a request with the values to merge. */
export const toCustomMerge = (
  { key, php_json_encoded }: z.output<z.ZodObject<typeof customMergeParameters>>,
  values: RequestParameters,
) => ({ key, values: parseCustomValues(values, php_json_encoded ? 'json' : 'brackets') });
