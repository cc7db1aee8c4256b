import { Failure, type FailureCode, type ProviderRefusal } from '#libs/contracts';
import { remainingTime } from '#libs/platform';

/**
 * Why a call of a course provider failed.
 *
 * `refused`: the provider said no, and will say it again; `not-found`: it does not know what was
 * named; `unauthorized`: it does not accept the application's credentials; `throttled`: too many
 * calls; `unavailable`: it cannot be reached, fails, or does not speak as a course provider;
 * `timeout`: no answer in time.
 */
export type ProviderFaultKind =
  'refused' | 'not-found' | 'unauthorized' | 'throttled' | 'unavailable' | 'timeout';

export interface ProviderFault {
  readonly kind: ProviderFaultKind;
  /** The HTTP status, or the network's error code such as `ECONNREFUSED`, as text. */
  readonly providerCode: string;
  /** The provider's own words, where it gave any. */
  readonly providerMessage: string;
  /** The HTTP method and the address, without credentials and query. */
  readonly method: string;
  readonly url: string;
  /** Seconds after which the provider wants to be asked again, where it said so. */
  readonly retryAfter: number | null;
}

/**
 * A failed call of a course provider. As a `Failure` it crosses the bus as it is: what the provider
 * refused carries the body of the 403 answer (api-v2.md, Registration: create).
 */
export class CourseProviderError extends Failure {
  constructor(
    readonly fault: ProviderFault,
    options?: ErrorOptions,
  ) {
    const code = failureCode(fault.kind, remainingTime() === 0);
    const said = `${fault.providerCode} ${fault.providerMessage}`.trim();
    super(
      code,
      `course provider, ${fault.method} ${fault.url}: ${said}`,
      code === 'refused-by-provider' ? refusalOf(fault) : undefined,
      options,
    );
  }
}

function failureCode(kind: ProviderFaultKind, deadlinePassed: boolean): FailureCode {
  switch (kind) {
    case 'refused':
    case 'unauthorized':
      return 'refused-by-provider';
    case 'not-found':
      return 'not-found';
    case 'throttled':
      return 'overloaded';
    case 'timeout':
      return deadlinePassed ? 'expired' : 'unavailable';
    case 'unavailable':
      return 'unavailable';
  }
}

/** The older API's number for "the maximum number of registrations has been reached". */
const registrationLimitReached = '4';

/** The body of the 403 answer that tells a client what the provider refused. */
export function refusalOf(fault: ProviderFault): ProviderRefusal {
  return {
    error_code: speaksOfRegistrationLimit(fault) ? registrationLimitReached : fault.providerCode,
    error_message: fault.providerMessage,
    error_url: fault.url,
  };
}

/** Version 2 of the API has no number for this cause: only the message tells it. */
function speaksOfRegistrationLimit({ kind, providerMessage }: ProviderFault): boolean {
  return (
    kind === 'refused' &&
    /\bregistrations?\b/i.test(providerMessage) &&
    /\b(limit|maximum|quota)\b/i.test(providerMessage)
  );
}
