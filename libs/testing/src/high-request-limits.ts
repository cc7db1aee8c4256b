/** Settings of the gateway for suites and benchmarks that send more than one client may. */
export const highRequestLimits = {
  REALM_REQUESTS_PER_SECOND: '100000',
  KEY_REQUESTS_PER_SECOND: '100000',
  ADDRESS_REQUESTS_PER_SECOND: '100000',
  REALM_REQUESTS_IN_HAND: '128',
  UNDELAYED_FAILURES_PER_ADDRESS: '100000',
} as const;
