import { id } from '#libs/contracts';
import * as z from 'zod';

const yes = ['t', 'true', '1'];
const no = ['f', 'false', '0', ''];

/** A flag, false unless given (decision 5). */
export const flag = z
  .enum([...yes, ...no])
  .default('')
  .transform((value) => yes.includes(value));

/** A filter for an exact match; as long as the longest text that there can be. */
export const exact = z.string().max(65_536).optional();

/** A whole number, as an id of ours. */
export const idNumber = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(id);

/** A flag that is null unless given, for updates that leave alone what is not named. */
export const optionalFlag = z
  .enum([...yes, ...no])
  .optional()
  .transform((value) => (value === undefined ? null : yes.includes(value)));

/** A text that is null unless given. */
export const optionalText = (most: number) =>
  z
    .string()
    .max(most)
    .optional()
    .transform((value) => value ?? null);

/** JSON text of what `schema` describes. */
export const jsonText = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'no JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** An address that a browser may be sent to. */
export const webAddress = z.url({ protocol: /^https?$/ }).max(2000);
