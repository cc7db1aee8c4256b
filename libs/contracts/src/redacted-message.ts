/** PostgreSQL's error codes for values that do not fit, class 22 (manual, Appendix A). */
const dataException = /^22[0-9A-Z]{3}$/;

/**
 * Returns an error's message without quoted data: PostgreSQL quotes a value that does not fit, and
 * a JSON parser quotes the text that it cannot parse.
 */
export function redactedMessage(error: Error): string {
  const { message } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  const quotesData =
    error.name === 'SyntaxError' || (typeof code === 'string' && dataException.test(code));
  return quotesData ? message.replaceAll(/"[^]*"|'[^']*'/g, '"…"') : message;
}
