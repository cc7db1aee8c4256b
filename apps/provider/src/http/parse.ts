import { BadRequestException } from '@nestjs/common';
import * as z from 'zod';

/** Parses what a client sent. @throws {BadRequestException} naming the first fault */
export function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.');
  throw new BadRequestException(`${where ? `${where}: ` : ''}${issue?.message ?? 'invalid'}`);
}

/** A flag in a query. Clients of some languages write it with a capital. */
export const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false'], { error: 'neither true nor false' }))
  .transform((value) => value === 'true');

/** A point in time in a query: ISO 8601, in UTC where it names no zone. */
export const moment = z
  .union(
    [
      z.iso.datetime({ offset: true }),
      z.iso.datetime({ local: true }).transform((local) => `${local}Z`),
      z.iso.date(),
    ],
    { error: 'not an ISO 8601 date and time' },
  )
  .transform((value) => new Date(value));

/** An id that the application chose for a course or a registration. */
export const givenId = z
  .string({ error: 'is missing' })
  .min(1)
  .max(255)
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  .regex(/^[^\u0000-\u001f]*$/, { error: 'holds control characters' });
