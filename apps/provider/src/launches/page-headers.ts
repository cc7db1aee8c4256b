import { reloadScriptSource } from './reload-script.ts';

const policyWith = (styleSource: string) => [
  `default-src 'none'`,
  `script-src 'self' ${reloadScriptSource}`,
  `style-src ${styleSource}`,
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
  'content-security-policy': policyWith("'self'").join('; '),
  'referrer-policy': 'no-referrer',
};

/**
 * Headers of the player's page with a style sheet of the launch, which may come from its origin. The style sheet
 * loads nothing else: images and fonts stay refused, so that it cannot send what it sees.
 *
 * @param cssUrl null if there is none
 */
export const styledPageHeaders = (cssUrl: string | null): Readonly<Record<string, string>> =>
  cssUrl === null
    ? pageHeaders
    : {
        ...pageHeaders,
        'content-security-policy': policyWith(`'self' ${new URL(cssUrl).origin}`).join('; '),
      };
