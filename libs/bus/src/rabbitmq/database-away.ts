/**
 * Whether the database is away as a whole, so that no event could be handled: Node's network
 * errors, pg's own for a broken connection, and PostgreSQL's error classes 08 and 57P and code
 * 53300 (PostgreSQL manual, Appendix A).
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return /^(ECONN|ETIMEDOUT|EPIPE|08|57P|53300)/.test(code);
  return error.message.startsWith('Connection terminated');
}
