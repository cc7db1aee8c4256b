import { clock, withDeadline } from '@registrar/platform';

/** What a check found out, and what to do about it. */
export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail';
  readonly finding: string;
  /** In the imperative; null when there is nothing to do. */
  readonly remedy: string | null;
}

/** Something that can be looked at by itself. */
export interface Check {
  /** What is looked at, such as `schema of identity`. */
  readonly name: string;
  readonly look: () => Promise<Finding | readonly Finding[]>;
}

/** A finding as it is shown. */
export type ShownFinding = Finding & { check: string };

/** How long one check may take: milliseconds. */
const timeLimit = 20_000;

export const ok = (finding: string): Finding => ({ state: 'ok', finding, remedy: null });
export const warn = (finding: string, remedy: string): Finding => ({
  state: 'warn',
  finding,
  remedy,
});
export const fail = (finding: string, remedy: string): Finding => ({
  state: 'fail',
  finding,
  remedy,
});

/** A failure with a remedy. */
export class CheckFailed extends Error {
  constructor(readonly found: Finding) {
    super(found.finding);
  }
}

/** Makes every check at the same time; a stuck one holds up no other. Answers in their order. */
export async function* findings(checks: readonly Check[]): AsyncGenerator<ShownFinding[]> {
  const looks = checks.map(async ({ name, look }) => {
    const found = await withDeadline(look(), clock.now() + timeLimit, 'the check').catch(unknown);
    return [found].flat().map((finding) => ({ check: name, ...finding }));
  });
  for (const look of looks) yield await look;
}

/**
 * Checks over one connection. When it cannot be opened, only the first check reports that.
 */
export function sharing<Connection extends object>(
  way: { open: () => Promise<Connection>; close: (connection: Connection) => Promise<unknown> },
  checks: readonly {
    name: string;
    look: (connection: Connection) => Promise<Finding | readonly Finding[]>;
  }[],
): Check[] {
  let opened: Promise<Connection> | undefined;
  let unfinished = checks.length;
  return checks.map(({ name, look }, place) => ({
    name,
    look: async () => {
      opened ??= way.open();
      try {
        const connection = await (place === 0 ? opened : opened.catch(() => null));
        return connection === null ? [] : await look(connection);
      } finally {
        unfinished -= 1;
        if (unfinished === 0) await opened.then(way.close).catch(() => undefined);
      }
    },
  }));
}

const unknown = (error: unknown): Finding =>
  error instanceof CheckFailed
    ? error.found
    : fail(error instanceof Error ? error.message : String(error), 'see to it, and try again');
