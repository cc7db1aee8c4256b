import { customMerge } from '@registrar/contracts';
import { parseCustomValues } from './custom-values.ts';
import { flag } from './parameter-types.ts';
import type { RequestParameters } from './request-parameters.ts';

const keyMeta = {
  description: 'The member of `custom` that all other parameters are merged into.',
  example: 'client',
};
const key = customMerge.shape.key.unwrap().refine((name) => name !== '__proto__');

/** The parameters of the operations that merge all others into `custom` (contract/parameters#custom-merge). */
export const customMergeParameters = {
  key: key.meta(keyMeta),
  php_json_encoded: flag.meta({
    description: 'The other parameters are JSON text.',
  }),
};

/** `key` where some realms do not require it (contract/compatibility#gcustom-without-key). */
export const optionalKey = key.optional().meta(keyMeta);

/** The values to merge of a request. */
export const customMergeValues = (
  { php_json_encoded }: { readonly php_json_encoded: boolean },
  values: RequestParameters,
) => parseCustomValues(values, php_json_encoded ? 'json' : 'brackets');
