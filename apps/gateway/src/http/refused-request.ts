/** A request that was answered with an error, as the terminal of `npm start` shows it. */
export interface RefusedRequest {
  readonly status: number;
  readonly method: string;
  /** Without the query string and without anything that looks like a secret. */
  readonly path: string;
  readonly reason: string;
  readonly requestId: string;
}

/** The longest path that is shown: characters. */
const maxPathLength = 200;

/** The beginning of a query string whose question mark was mistyped or encoded. */
const mistypedQuery = /(?:[&=;#]|%(?:3f|26|3d|3b|23)).*/i;

/** A part of a path as long as a token or a secret key, which are 32 bytes in base64. */
const tokenLike = /[\w-]{40,}/g;

/** The path of a URL that is safe to show. */
export const shownPath = (url: string): string =>
  (url.split('?', 1)[0] ?? '')
    .replace(mistypedQuery, '…')
    .replaceAll(tokenLike, '…')
    .slice(0, maxPathLength);
