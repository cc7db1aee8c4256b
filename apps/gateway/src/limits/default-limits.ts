import type { AccessScope, RealmLimits } from '@registrar/contracts';
import type { GatewaySettings } from '../settings.ts';

/** Injection token of the {@link DefaultLimits}. */
export const defaultLimits = Symbol('default limits');

/** What a realm without limits of its own may ask of all gateways together, and what any address may. */
export interface DefaultLimits extends Required<
  Pick<RealmLimits, 'requestsPerSecond' | 'requestsPerSecondOfKey' | 'requestsInHand' | 'weight'>
> {
  readonly requestsPerSecondOfAddress: number;
}

export const defaultLimitsOf = (settings: GatewaySettings): DefaultLimits => ({
  requestsPerSecond: settings.REALM_REQUESTS_PER_SECOND,
  requestsPerSecondOfKey: settings.KEY_REQUESTS_PER_SECOND,
  requestsInHand: settings.REALM_REQUESTS_IN_HAND,
  requestsPerSecondOfAddress: settings.ADDRESS_REQUESTS_PER_SECOND,
  weight: 1,
});

/** The limits of a request's realm. */
export const limitsOf = (scope: AccessScope, defaults: DefaultLimits): DefaultLimits => ({
  ...defaults,
  ...scope.limits,
});
