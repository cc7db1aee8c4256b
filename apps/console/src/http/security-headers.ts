import type { FastifyReply } from 'fastify';

/** The headers of every response but the policy for content. */
const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

/**
 * The policy for a page (CSP level 3): scripts and styles of the console alone.
 *
 * @param nonce that of the styles which the component library adds to the page
 * @param issuer the identity provider's origin, to which the form of a sign-in may lead; undefined without one
 */
export const contentPolicy = (nonce: string | null, issuer: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === null ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'self'",
    `form-action 'self'${issuer === undefined ? '' : ` ${issuer}`}`,
    "object-src 'none'",
  ].join('; ');

/** Sets the headers of every response. A page sets its own policy later, with its nonce. */
export function setSecurityHeaders(reply: FastifyReply, issuer: string | undefined): void {
  void reply.headers({
    ...fixedHeaders,
    'content-security-policy': contentPolicy(null, issuer),
  });
}
