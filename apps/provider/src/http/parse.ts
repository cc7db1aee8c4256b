import { BadRequestException } from '@nestjs/common';
import * as z from 'zod';

/** Parses input of a client. @throws {BadRequestException} with the first problem and its path */
export function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BadRequestException(issue ? messageOf(issue) : 'invalid');
}

function messageOf(issue: z.core.$ZodIssue): string {
  const isUnknown = issue.code === 'unrecognized_keys';
  const where = [...issue.path, ...(isUnknown ? issue.keys.slice(0, 1) : [])].join('.');
  const message = isUnknown ? 'is not supported' : issue.message;
  return where ? `${where}: ${message}` : message;
}

/**
 * A body, or a record in one. Fields that it does not name are refused, so that nothing is ignored
 * without notice. Null stands for an absent field: generated clients send it for fields not set.
 */
export const bodyObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.preprocess(withoutNulls, z.strictObject(shape));

const withoutNulls = (given: unknown) =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
    : given;

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
  // oxlint-disable-next-line no-control-regex -- the expression matches control characters
  .regex(/^[^\u0000-\u001f]*$/, { error: 'contains control characters' });
