/** Settings of the gateway for suites and benchmarks that send more than one client may. */
export const highRequestLimits = {
  ADDRESS_REQUESTS_PER_SECOND: '100000',
  UNDELAYED_FAILURES_PER_ADDRESS: '100000',
} as const;
