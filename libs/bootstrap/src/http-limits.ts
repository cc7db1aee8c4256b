import proxyAddresses from '@fastify/proxy-addr';
import { countSetting } from '@registrar/platform';
import * as z from 'zod';
import { type FailedAccessLimits, failedAccessLimits } from './failed-access.ts';

/** Whether the client's address comes from the `X-Forwarded-For` of this peer. */
type TrustsPeer = (address: string, hop: number) => boolean;

/** Addresses and networks, separated by commas, or `loopback`, `linklocal`, `uniquelocal`. */
const proxies = z
  .string()
  .default('')
  .transform((text, context): TrustsPeer => {
    const listed = text.split(',').flatMap((each) => each.trim() || []);
    try {
      return proxyAddresses.compile(listed);
    } catch {
      const message = 'expected IP addresses and networks, separated by commas';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });

/** The environment variables of an app that serves HTTP (docs/operations.md). */
export const httpSettings = z.object({
  /** How many connections one address may have open; those of trusted proxies do not count. */
  MAX_CONNECTIONS_PER_ADDRESS: countSetting.default(256),
  /** How many accesses of one address may fail in ten minutes before failures are answered late. */
  UNDELAYED_FAILURES_PER_ADDRESS: countSetting.default(20),
  /** How many requests per second one address may send; those of trusted proxies do not count. */
  ADDRESS_REQUESTS_PER_SECOND: countSetting.default(500),
  /** The proxies in front of the app. */
  TRUSTED_PROXIES: proxies,
});
export type HttpSettings = z.output<typeof httpSettings>;

/** A minimum data rate of requests or responses: bytes in each window of time. */
export interface DataRate {
  readonly windowMs: number;
  readonly bytes: number;
}

/** What clients may hold of an HTTP server, and for how long. */
export interface HttpLimits {
  /** The time that the headers of a request may take. */
  readonly headersTimeoutMs: number;
  /** A body that has not arrived within a window must have brought so many bytes in it. */
  readonly minDataRate: DataRate;
  /** How many bodies may arrive at a time. */
  readonly maxBodies: number;
  /**
   * How many connections are open at a time; beyond it, an idle one of the client with the most is closed. As many may
   * wait to be accepted: of more than fit, the kernel drops the first packet, which the client repeats after 1 s, 3 s and 7 s.
   */
  readonly maxConnections: number;
  /** Of an IPv4 address or an IPv6 network of 64 bits; larger networks have some times as many. */
  readonly maxConnectionsPerAddress: number;
  readonly requestsPerSecondOfAddress: number;
  readonly trustsPeer: TrustsPeer;
  readonly failedAccesses: FailedAccessLimits;
}

/** 16 kB a second. */
const minDataRate: DataRate = { windowMs: 30_000, bytes: 480_000 };

/** The limits of an HTTP server. */
export const httpLimits = (settings: HttpSettings): HttpLimits => ({
  headersTimeoutMs: 10_000,
  minDataRate,
  maxBodies: 512,
  maxConnections: 4_096,
  maxConnectionsPerAddress: settings.MAX_CONNECTIONS_PER_ADDRESS,
  requestsPerSecondOfAddress: settings.ADDRESS_REQUESTS_PER_SECOND,
  trustsPeer: settings.TRUSTED_PROXIES,
  failedAccesses: failedAccessLimits(
    settings.UNDELAYED_FAILURES_PER_ADDRESS,
    settings.TRUSTED_PROXIES,
  ),
});
