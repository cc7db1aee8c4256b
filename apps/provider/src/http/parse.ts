import { BadRequestException } from '@nestjs/common';
import * as z from 'zod';

/** Parses input of a client. @throws {BadRequestException} with the first problem and its path */
export function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.');
  throw new BadRequestException(`${where ? `${where}: ` : ''}${issue?.message ?? 'invalid'}`);
}

/** A flag in a query, in any case: Python clients send `True`. */
export const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false'], { error: 'neither true nor false' }))
  .transform((value) => value === 'true');

/** A timestamp in a query: ISO 8601, in UTC unless it has an offset. */
export const timestamp = z
  .union(
    [
      z.iso.datetime({ offset: true }),
      z.iso.datetime({ local: true }).transform((local) => `${local}Z`),
      z.iso.date(),
    ],
    { error: 'not an ISO 8601 date and time' },
  )
  .transform((value) => new Date(value));

/** The id of a course, registration or learner, as chosen by the application. */
export const externalId = z
  .string({ error: 'is missing' })
  .min(1)
  .max(255)
  // eslint-disable-next-line no-control-regex -- the expression matches control characters
  .regex(/^[^\u0000-\u001f]*$/, { error: 'contains control characters' });
