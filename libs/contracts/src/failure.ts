import * as z from 'zod';
import { wordsOf } from './foreign-error.ts';

/**
 * Every way in which a request can fail, and whether asking again may help. The gateway's table
 * turns each into a status (api-v2.md, Errors; decision 11).
 */
export const failures = {
  /** The request itself is wrong: malformed argument, illegal value (500). */
  invalid: { retriable: false },
  /** No valid access, or the access does not reach that operation (401). */
  unauthenticated: { retriable: false },
  /** A named item does not exist for this access (404). */
  'not-found': { retriable: false },
  /** The item exists and nothing was changed (302). */
  unchanged: { retriable: false },
  /** The course provider refused; `detail` is the body of the 403 answer. */
  'refused-by-provider': { retriable: false },
  /** A dependency is away or failing (503). */
  unavailable: { retriable: true },
  /** The destination's queue is full, or the service sheds load (503). */
  overloaded: { retriable: true },
  /** The deadline passed (504). */
  expired: { retriable: false },
  /** A defect of ours; its cause is in the log of the service where it happened (500). */
  internal: { retriable: false },
} as const satisfies Record<string, { retriable: boolean }>;

export type FailureCode = keyof typeof failures;

const failureCodes = Object.keys(failures) as [FailureCode, ...FailureCode[]];

/** The body of a 403 answer to registration create (api-v2.md, Registration: create). */
export const providerRefusal = z.object({
  error_code: z.string(),
  error_message: z.string(),
  error_url: z.string(),
});
export type ProviderRefusal = z.infer<typeof providerRefusal>;

/** A failure as it travels in a reply. */
export const wireFailure = z.object({
  code: z.enum(failureCodes),
  message: z.string(),
  detail: providerRefusal.optional(),
});
export type WireFailure = z.infer<typeof wireFailure>;

/**
 * The one error that crosses a context's border. Its message is for the log: it says what was
 * wrong without any secret, and no client ever sees it.
 */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly code: FailureCode,
    message: string,
    readonly detail?: ProviderRefusal,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get retriable(): boolean {
    return failures[this.code].retriable;
  }

  toWire(): WireFailure {
    return { code: this.code, message: this.message, ...(this.detail && { detail: this.detail }) };
  }

  static fromWire(wire: WireFailure): Failure {
    return new Failure(wire.code, wire.message, wire.detail);
  }

  /** Any thrown value as a failure; what is not one already becomes `internal`. */
  static from(error: unknown): Failure {
    if (error instanceof Failure) return error;
    const message = error instanceof Error ? wordsOf(error) : String(error);
    return new Failure('internal', message, undefined, { cause: error });
  }
}
