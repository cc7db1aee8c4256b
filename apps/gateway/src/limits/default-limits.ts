import type { AccessScope, RealmLimits } from '@registrar/contracts';
import type { GatewaySettings } from '../settings.ts';

/** Injection token of the {@link DefaultLimits}. */
export const defaultLimits = Symbol('default limits');

/** The requests of a realm or a key of so many seconds may come at once. */
export const burstSeconds = 2;

/** What a realm without limits of its own may ask of all gateways together. */
export type DefaultLimits = Required<
  Pick<RealmLimits, 'requestsPerSecond' | 'requestsPerSecondOfKey' | 'requestsInHand' | 'weight'>
>;

export const defaultLimitsOf = (settings: GatewaySettings): DefaultLimits => ({
  requestsPerSecond: settings.REALM_REQUESTS_PER_SECOND,
  requestsPerSecondOfKey: settings.KEY_REQUESTS_PER_SECOND,
  requestsInHand: settings.REALM_REQUESTS_IN_HAND,
  weight: 1,
});

/** The limits of a request's realm. */
export const limitsOf = (scope: AccessScope, defaults: DefaultLimits): DefaultLimits => ({
  ...defaults,
  ...scope.limits,
});
