import { Failure, type FailureCode, type ProviderRefusal } from '@registrar/contracts';
import { remainingTimeMs } from '@registrar/platform';

/**
 * Why a call of a course provider failed.
 *
 * | kind | meaning | failure code |
 * |---|---|---|
 * | `refused` | the provider rejected the call, and will reject it again | `refused-by-provider` |
 * | `unauthorized` | the provider does not accept the credentials | `refused-by-provider` |
 * | `not-found` | the provider does not have the named resource | `not-found` |
 * | `throttled` | the provider's rate limit is exceeded | `overloaded` |
 * | `unavailable` | no connection, a server error, or a response outside of the API | `unavailable` |
 * | `timeout` | no response in time | `expired` at the deadline, else `unavailable` |
 */
export type ProviderFaultKind = keyof typeof failureCodes;

const failureCodes = {
  refused: 'refused-by-provider',
  unauthorized: 'refused-by-provider',
  'not-found': 'not-found',
  throttled: 'overloaded',
  unavailable: 'unavailable',
  timeout: 'unavailable',
} satisfies Record<string, FailureCode>;

export interface ProviderFault {
  readonly kind: ProviderFaultKind;
  /** The HTTP status as text, or the network's error code such as `ECONNREFUSED`. */
  readonly providerCode: string;
  /** The provider's error message, or a description when the provider sent none. */
  readonly providerMessage: string;
  /** The HTTP method of the call. */
  readonly method: string;
  /** The address of the call, without credentials and query. */
  readonly url: string;
  /** Seconds to wait before the next call (`Retry-After`); null when the provider sent none. */
  readonly retryAfter: number | null;
}

/**
 * The last part of the time until the deadline, in milliseconds, in which the caller is told that the provider did not
 * respond: otherwise it would only know that nobody did.
 */
export const answerTimeMs = 500;

/**
 * A failed call of a course provider. When the provider refused the call, `detail` holds the body
 * of the client's 403 response (contract/registrations#create-403-body).
 */
export class CourseProviderError extends Failure {
  constructor(
    readonly fault: ProviderFault,
    options?: ErrorOptions,
  ) {
    const isExpired = fault.kind === 'timeout' && remainingTimeMs() <= answerTimeMs;
    const code = isExpired ? 'expired' : failureCodes[fault.kind];
    const cause = `${fault.providerCode} ${fault.providerMessage}`.trim();
    super(
      code,
      `course provider, ${fault.method} ${fault.url}: ${cause}`,
      code === 'refused-by-provider' ? toProviderRefusal(fault) : undefined,
      { ...options, ofProvider: true },
    );
  }
}

/** The older API's code for "the maximum number of registrations has been reached". */
const registrationLimitReached = '4';

function toProviderRefusal(fault: ProviderFault): ProviderRefusal {
  return {
    error_code: isRegistrationLimitFault(fault) ? registrationLimitReached : fault.providerCode,
    error_message: fault.providerMessage,
    error_url: fault.url,
  };
}

/** Recognizes the registration limit by the message: version 2 of the API has no code for it. */
function isRegistrationLimitFault({ kind, providerMessage }: ProviderFault): boolean {
  return (
    kind === 'refused' &&
    /\bregistrations?\b/i.test(providerMessage) &&
    /\b(limit|maximum|quota)\b/i.test(providerMessage)
  );
}
