import { filterText, id } from '@registrar/contracts';
import * as z from 'zod';

const trueValues = ['t', 'true', '1', 'yes', 'on'];
const falseValues = ['f', 'false', '0', 'no', 'off', ''];
/** The values of a flag in any case (contract/parameters#flags), documented as a boolean. */
const flagValues = z
  .string()
  .toLowerCase()
  .meta({ type: 'boolean' })
  .pipe(z.enum([...trueValues, ...falseValues]));

const givenFlag = flagValues.transform((value) => trueValues.includes(value));

/** A flag, false unless given (contract/parameters#flags). */
export const flag = givenFlag.default(false);

/** A flag of an update: null, which changes nothing, unless given. */
export const optionalFlag = givenFlag.optional().transform((value) => value ?? null);

/** A filter by a flag: undefined unless given. */
export const flagFilter = givenFlag.optional();

/** A filter for an exact match, up to the length of the longest stored text. */
export const exactFilter = filterText.optional();

/** A number of at most ten digits. */
export const digits = z
  .string()
  .regex(/^\d{1,10}$/)
  .meta({ type: 'integer', minimum: 0 })
  .transform(Number);

/** The numeric id of a record. */
export const idParameter = digits.pipe(id);

/** A number of seconds, up to 68 years. */
export const seconds = digits.pipe(z.int().max(2 ** 31 - 1));

/** A point in time as records show it (contract/formats#timestamps); PostgreSQL has no year 0. */
export const time = z.iso
  .datetime()
  .max(30)
  .refine((text) => !text.startsWith('0000'));

/** A text that is null unless given. */
export const optionalText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .optional()
    .transform((value) => value ?? null);

/** The JSON Schema of a value, without the patterns that only repeat a format. */
function jsonSchemaOf(schema: z.ZodType) {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => void delete jsonSchema.pattern,
  });
  return described;
}

/** JSON text whose value conforms to `schema`, which the document shows as the value in a JSON body. */
export const jsonText = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .meta({ jsonValue: jsonSchemaOf(schema) })
    .transform((text, context): unknown => {
      try {
        const value: unknown = JSON.parse(text);
        if (Array.isArray(value) || !(schema instanceof z.ZodArray)) return value;
      } catch {
        // The parser's message would repeat the value.
      }
      const expected = schema instanceof z.ZodArray ? 'a JSON array' : 'JSON';
      context.addIssue({ code: 'custom', message: `expected ${expected}` });
      return z.NEVER;
    })
    .pipe(schema);
