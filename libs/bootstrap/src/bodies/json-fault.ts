/** The levels of a body: an object whose member has the 100 levels that a value may have. */
const maxLevels = 101;
const maxMembers = 20_000;
const maxValues = 100_000;

const codeOf = (character: string) => character.charCodeAt(0);
const [quote, backslash] = [codeOf('"'), codeOf('\\')];
const [openBracket, closeBracket] = [codeOf('['), codeOf(']')];
const [openBrace, closeBrace] = [codeOf('{'), codeOf('}')];
const [comma, colon] = [codeOf(','), codeOf(':')];

/**
 * Why a text of JSON is not parsed; null if it may be. Counting takes 2 ms for 1 MiB, and the parser more than
 * 50 ms for brackets or members alone; what then reads them, such as a schema that lists unknown members,
 * takes as long again.
 */
export function jsonFault(text: string): string | null {
  let levels = 0;
  let values = 0;
  let members = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === comma) values += 1;
    else if (code === colon) members += 1;
    else if (code === closeBracket || code === closeBrace) levels -= 1;
    else if (code === openBracket || code === openBrace) {
      levels += 1;
      values += 1;
      if (levels > maxLevels) return 'the body is nested more than 100 levels deep';
    }
    if (members > maxMembers) return `the body has more than ${maxMembers} members`;
    if (values > maxValues) return `the body has more than ${maxValues} values`;
  }
  return null;
}

/**
 * Whether a member of a body is named `__proto__`. Fastify's own search takes several times as long, and
 * refuses names that do no harm.
 */
export function hasPrototype(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Object.hasOwn(body, '__proto__') || Object.values(body).some(hasPrototype);
}
