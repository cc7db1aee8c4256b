const policy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `connect-src 'self'`,
  // The frame of the course: a course may show pages of other hosts.
  `frame-src http: https:`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
];

/**
 * Headers of the player's pages. The policy (CSP Level 3) does not apply to content, which has
 * scripts of its own. It does not restrict who may frame the player, since learning portals do so.
 * Other hosts get no referrer, because the URL of a course window grants access to it.
 */
export const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': policy.join('; '),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};
