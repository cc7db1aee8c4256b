import { id } from '#libs/contracts';
import * as z from 'zod';

const yes = ['t', 'true', '1'];
const no = ['f', 'false', '0', ''];

/** A flag, false unless given (decision 5). */
export const flag = z
  .enum([...yes, ...no])
  .default('')
  .transform((value) => yes.includes(value));

/** A filter for an exact match. */
export const exact = z.string().max(1000).optional();

/** A whole number, as an id of ours. */
export const idNumber = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(id);

/** An address that a browser may be sent to. */
export const webAddress = z.url({ protocol: /^https?$/ }).max(2000);
