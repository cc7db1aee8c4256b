import { SetMetadata } from '@nestjs/common';

/** The schedule of a method that is called periodically. */
export interface PeriodicTaskOptions {
  /** Names the task in the log and in traces; unique in its app. */
  readonly name: string;
  /** Milliseconds between the end of a round and the start of the next. */
  readonly everyMs: number;
  /** The same while the process is at rest (`activity`); `everyMs` by default. */
  readonly restMs?: number;
  /** Milliseconds until the deadline of a round, which limits its SQL statements and requests. */
  readonly timeoutMs: number;
}

const metadataKey = 'registrar periodic task';

/** The result of a round: true, or a number above 0, when there is more to do at once. */
type RoundResult = boolean | number | void;

/**
 * Calls a method of any provider periodically, from the start of its app to its shutdown.
 *
 * The first round begins when the app has started. Every replica runs the task, one round at a time
 * per replica, so a round claims what it works on. A round that returns true, or a number above 0,
 * is followed by the next one at once. One that throws is logged and repeated after 5 s, or after
 * `everyMs` if that is shorter. Shutdown begins no more rounds and waits for the running one.
 *
 * @example
 * ```ts
 * @PeriodicTask({ name: 'prune expired API keys', everyMs: 3_600_000, timeoutMs: 60_000 })
 * async prune(): Promise<boolean> { … }
 * ```
 */
export const PeriodicTask = (
  options: PeriodicTaskOptions,
): (<Method extends () => Promise<RoundResult>>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void) => SetMetadata(metadataKey, options);

/** Returns the schedule of a method; undefined for a method without {@link PeriodicTask}. */
export const periodicTaskOptions = (method: object): PeriodicTaskOptions | undefined =>
  Reflect.getMetadata(metadataKey, method) as PeriodicTaskOptions | undefined;
