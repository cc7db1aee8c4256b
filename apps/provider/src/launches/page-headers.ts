const policy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `connect-src 'self'`,
  // The frame of the course, which may well show something from elsewhere.
  `frame-src http: https:`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
];

/**
 * Headers of the player's pages. The policy (CSP level 3) is theirs alone: courses bring their own
 * scripts. It says nothing about who may frame the player, since learning portals do. The referrer
 * stays at home, because addresses here open a course.
 */
export const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': policy.join('; '),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};
