/** The levels of a body: an object whose member has the 100 levels that a value may have. */
const maxLevels = 101;
const maxMembers = 20_000;
const maxValues = 100_000;

/** A member that is named `__proto__`, each letter of which may be escaped, or ends so after a quote. */
const prototypeMember =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/;

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
  return prototypeMember.test(text) ? 'the body has a member that is named __proto__' : null;
}
