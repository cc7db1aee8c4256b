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
 * Headers of everything at the origin of a registration: no other origin embeds it as a script, image or
 * style, and browsers give the origin a process of its own if they can (HTML, "origin-keyed agent
 * clusters"), in which `document.domain` does not widen it.
 */
export const originHeaders = {
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-content-type-options': 'nosniff',
};

/**
 * Headers of the player's pages. The policy (CSP Level 3) does not apply to content, which has
 * scripts of its own. It does not restrict who may frame the player, since learning portals do so.
 * Nobody gets a referrer, because the URL of a course window grants access to it.
 */
export const pageHeaders = {
  ...originHeaders,
  'cache-control': 'no-store',
  'content-security-policy': policy.join('; '),
  'referrer-policy': 'no-referrer',
};
