import * as z from 'zod';
import { type PackageFinding, packageFindings } from './package-findings.ts';
import { redactedMessage } from './redacted-message.ts';

/**
 * The ways in which a request can fail, and whether a repeated request may succeed. The gateway
 * maps each code to an HTTP status (contract/errors#statuses).
 */
export const failures = {
  /** The request is malformed or contains an illegal value (500). */
  invalid: { retriable: false },
  /** The credentials are not valid, or do not reach the operation (401). */
  unauthenticated: { retriable: false },
  /** A named resource does not exist within the caller's reach (404). */
  'not-found': { retriable: false },
  /** The resource exists and nothing was changed (302). */
  unchanged: { retriable: false },
  /** The course provider refused the call; `detail` is the body of the 403 response. */
  'refused-by-provider': { retriable: false },
  /** A dependency cannot be reached or fails (503). */
  unavailable: { retriable: true },
  /** The destination's queue is full, or the service sheds load (503). */
  overloaded: { retriable: true },
  /** The caller has reached a limit of its own, which others do not share (503). */
  'over-limit': { retriable: true },
  /** The deadline has passed (504). */
  expired: { retriable: false },
  /** A defect; its cause is in the log of the service where it occurred (500). */
  internal: { retriable: false },
} as const satisfies Record<string, { retriable: boolean }>;

export type FailureCode = keyof typeof failures;

const failureCodes = Object.keys(failures) as [FailureCode, ...FailureCode[]];

/** Body of a 403 response to registration create (contract/registrations#create-403-body). */
export const providerRefusal = z.object({
  error_code: z.string(),
  error_message: z.string(),
  error_url: z.string(),
});
export type ProviderRefusal = z.infer<typeof providerRefusal>;

/** A failure as a reply carries it. */
export const wireFailure = z.object({
  code: z.enum(failureCodes),
  message: z.string(),
  detail: providerRefusal.optional(),
  /**
   * True for `unauthenticated` if the credentials were valid once, such as those of an expired API key
   * or of a disabled realm: whoever sends them does not guess.
   */
  credentialsKnown: z.boolean().optional(),
  /** The course provider caused it: it is unavailable, slow, throttles, or rejects the stored credentials. */
  ofProvider: z.boolean().optional(),
  /** When the caller may try again: seconds. */
  retryAfterSeconds: z.int().min(1).optional(),
  /** An earlier request under the same idempotency key has failed so. */
  isReplay: z.boolean().optional(),
  /** What was found in the course package of a refused course create (contract/courses#create-findings). */
  findings: packageFindings.optional(),
});
export type WireFailure = z.infer<typeof wireFailure>;

type FailureOptions = ErrorOptions &
  Pick<
    WireFailure,
    'credentialsKnown' | 'ofProvider' | 'retryAfterSeconds' | 'isReplay' | 'findings'
  > & {
    /** The name of the request's parameter at fault, within the process that found it. */
    readonly parameter?: string;
  };

/**
 * The only error that crosses a context's boundary. Its message describes the cause without secrets, for the log.
 * A client that asks for problems reads the messages of its own mistakes too (contract/errors#problems).
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  /** See {@link wireFailure}. */
  readonly credentialsKnown: boolean;
  /** See {@link wireFailure}. */
  readonly ofProvider: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** See {@link wireFailure}. */
  readonly isReplay: boolean;
  /** See {@link wireFailure}. */
  readonly findings: readonly PackageFinding[] | undefined;
  readonly parameter: string | undefined;

  constructor(
    readonly code: FailureCode,
    message: string,
    readonly detail?: ProviderRefusal,
    options?: FailureOptions,
  ) {
    super(message, options);
    this.credentialsKnown = options?.credentialsKnown ?? false;
    this.ofProvider = options?.ofProvider ?? false;
    this.retryAfterSeconds = options?.retryAfterSeconds;
    this.isReplay = options?.isReplay ?? false;
    this.findings = options?.findings;
    this.parameter = options?.parameter;
  }

  get retriable(): boolean {
    return failures[this.code].retriable;
  }

  toWire(): WireFailure {
    const { code, message, detail, retryAfterSeconds } = this;
    const credentialsKnown = this.credentialsKnown || undefined;
    const ofProvider = this.ofProvider || undefined;
    const isReplay = this.isReplay || undefined;
    const findings = this.findings && [...this.findings];
    return {
      code,
      message,
      detail,
      credentialsKnown,
      ofProvider,
      retryAfterSeconds,
      isReplay,
      findings,
    };
  }

  static fromWire({ code, message, detail, ...options }: WireFailure): Failure {
    return new Failure(code, message, detail, options);
  }

  /** Converts any thrown value into a failure; a value that is not a failure becomes `internal`. */
  static from(error: unknown): Failure {
    if (error instanceof Failure) return error;
    const message = error instanceof Error ? redactedMessage(error) : String(error);
    return new Failure('internal', message, undefined, { cause: error });
  }
}
