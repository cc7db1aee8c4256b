import { clock } from '@registrar/platform';
import { id } from '@registrar/contracts';
import { InvalidArgumentError } from 'commander';
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import * as z from 'zod';
import { type Terminal, UsageError } from './terminal.ts';

/** Parses an argument by a schema of the contracts; commander prints the error. */
export const argumentOf =
  <Schema extends z.ZodType>(schema: Schema) =>
  (text: string): z.output<Schema> => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'It is malformed.');
  };

/** A whole number, within the bounds of a schema. */
export const numberArgument = <Schema extends z.ZodType<number, number>>(schema: Schema) =>
  argumentOf(z.string().regex(/^\d+$/, 'It is not a number.').transform(Number).pipe(schema));

/** An internal id, as the lists show it. */
export const idArgument = numberArgument(id);

const secondsOfUnit = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** A time such as `90d`, `2h`, `30m` or `45s`, as seconds. */
const duration = z
  .string()
  .regex(/^\d{1,6}[smhd]$/, 'It is not a time such as 90d, 2h, 30m or 45s.')
  .transform((text) => {
    const unit = text.slice(-1) as keyof typeof secondsOfUnit;
    return Number(text.slice(0, -1)) * secondsOfUnit[unit];
  });
export const durationArgument = argumentOf(duration);

/** A point in time, or how long ago it was, as ISO 8601. */
export function timeArgument(text: string): string {
  const age = duration.safeParse(text);
  if (age.success) return new Date(clock.now() - age.data * 1_000).toISOString();
  const parsed = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  if (parsed.success) return new Date(parsed.data).toISOString();
  throw new InvalidArgumentError(
    'It is neither a date or time such as 2026-11-01T08:00:00Z nor 7d.',
  );
}

/**
 * The text of a file, or of standard input for `-`.
 *
 * @throws {UsageError} when the file cannot be read
 */
export async function readInput(source: string, terminal: Terminal): Promise<string> {
  if (source === '-') return textOf(terminal.stdin);
  try {
    return await readFile(source, 'utf8');
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/**
 * A secret, which never stands on a command line: others on the machine can read those.
 *
 * @throws {UsageError} when there is none, or something that is none
 */
export async function readSecret(source: string, terminal: Terminal): Promise<string> {
  const secret = (await readInput(source, terminal)).replace(/\r?\n$/, '');
  if (!/^[^\p{Cc}]{1,255}$/u.test(secret)) {
    throw new UsageError('the secret key is not one line of 1 to 255 characters');
  }
  return secret;
}
