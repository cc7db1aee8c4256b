/** PostgreSQL's class of codes for values that do not fit (manual, Appendix A). */
const dataException = /^22[0-9A-Z]{3}$/;

/**
 * The words of an error, without the data that some of them quote: PostgreSQL repeats a value
 * that does not fit, and a JSON parser what it stumbled over.
 */
export function wordsOf(error: Error): string {
  const { message } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  const quotesData =
    error.name === 'SyntaxError' || (typeof code === 'string' && dataException.test(code));
  return quotesData ? message.replaceAll(/"[^]*"|'[^']*'/g, '"…"') : message;
}
