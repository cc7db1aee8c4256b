import * as z from 'zod';
import type { Success } from './result.ts';

/**
 * The run-time data of a SCO as its content left it, in the words of its own standard: the tree
 * under `cmi`, with lists as objects from index to entry. Stored as it came, so that the next
 * session gets it back unchanged.
 */
export const runtimeData = z
  .record(z.string().max(64), z.json())
  .transform((data) => storable(data) as typeof data);
export type RuntimeData = z.infer<typeof runtimeData>;

/** As a database can hold it: content cuts its text anywhere, within a character too. */
function storable(value: Json): Json {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [storableText(name), storable(inner)]),
  );
}

const storableText = (text: string) => text.replaceAll('\0', '').toWellFormed();

type Json = z.core.util.JSONType;

/** Run-time data in the words of the API, whatever the standard. Times are seconds. */
export interface Runtime {
  readonly completionStatus: 'UNKNOWN' | 'NOT_ATTEMPTED' | 'INCOMPLETE' | 'COMPLETED' | 'BROWSED';
  readonly success: Success;
  readonly credit: string;
  readonly entry: string;
  readonly exit: string;
  readonly mode: string;
  readonly location: string;
  readonly suspendData: string;
  readonly progress: number | null;
  readonly score: RuntimeScore;
  readonly totalTime: number;
  readonly preference: {
    readonly audioLevel: number | null;
    readonly language: string;
    readonly deliverySpeed: number | null;
    readonly audioCaptioning: number | null;
  };
  readonly learnerComments: readonly RuntimeComment[];
  readonly lmsComments: readonly RuntimeComment[];
  readonly interactions: readonly RuntimeInteraction[];
  readonly objectives: readonly RuntimeObjective[];
}

export interface RuntimeScore {
  /** -1 to 1. */
  readonly scaled: number | null;
  readonly raw: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

export interface RuntimeComment {
  readonly value: string;
  readonly location: string;
  readonly dateTime: string;
}

export interface RuntimeInteraction {
  readonly id: string;
  /** As the standards write it, such as `fill-in`. */
  readonly type: string;
  readonly objectives: readonly string[];
  readonly timestamp: string;
  readonly correctResponses: readonly string[];
  readonly weighting: string;
  readonly learnerResponse: string;
  readonly result: string;
  readonly latency: string;
  readonly description: string;
}

export interface RuntimeObjective {
  readonly id: string;
  readonly score: RuntimeScore;
  readonly success: Success;
  readonly completionStatus: Runtime['completionStatus'];
  readonly progress: number | null;
  readonly description: string;
}

/** Content can leave anything in a field: what is not text reads as none. */
export const text = z.string().catch('');

/** A decimal number as text, or null. */
export const decimal = z
  .string()
  .regex(/^[+-]?\d+(\.\d*)?$/)
  .transform(Number)
  .nullable()
  .catch(null);

/** A record of the run-time data; what is no record reads as one with nothing in it. */
export function recordOf<Shape extends z.core.$ZodShape>(shape: Shape) {
  const schema = z.object(shape);
  return schema.catch(() => schema.parse({}));
}

/** A list of the run-time data: an object from index to entry. */
export const listOf = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .record(z.string(), entry)
    .catch({})
    .transform((list) => Object.values(list));
