import type { ParameterRules } from '../parameters/parse-parameters.ts';
import { digits, flag } from '../parameters/parameter-types.ts';
import { type RequestParameters, singleValue } from '../parameters/request-parameters.ts';
import * as z from 'zod';

/** The most records of a page (contract/parameters#limit). */
const maxLimit = 500;

/** Whether a list in CSV begins with a byte order mark (contract/formats#csv-bom). */
export const byteOrderMark = {
  bom: flag.describe('Begins a response in CSV with a byte order mark, for spreadsheet programs.'),
};

/** The parameters of every index (contract/parameters#paging). */
export const listParameters = {
  limit: digits
    .pipe(z.int().min(1).max(maxLimit))
    .optional()
    .meta({
      description: `Returns a page of at most so many records, 1 to ${maxLimit}. The header \`Link\` has the next page.`,
      example: 100,
    }),
  cursor: z
    .string()
    .regex(/^[\w-]{1,200}$/)
    .optional()
    .describe('Where the page begins, from the `Link` of the page before.'),
  count: flag.describe(
    'Shows the number of all records that match in the header `X-Total-Count`, unless counting takes too long.',
  ),
  ...byteOrderMark,
};

const listSchema = z.object(listParameters);
export type ListParameters = Omit<z.output<typeof listSchema>, 'bom'>;

/** Whether a request is for a part of a list, or for its size. */
export const asksForPart = (given: RequestParameters): boolean =>
  ['limit', 'cursor', 'count'].some((name) => given.has(name));

/** Whether a request to an operation with {@link byteOrderMark} asks for one. */
export const asksForByteOrderMark = (
  { parameters }: ParameterRules,
  given: RequestParameters,
): boolean =>
  Object.hasOwn(parameters.shape, 'bom') && flag.safeParse(singleValue(given, 'bom')).data === true;
