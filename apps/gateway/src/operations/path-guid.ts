import { Failure, guid } from '@registrar/contracts';

/**
 * Parses a GUID in a path.
 *
 * @throws {Failure} `not-found` when no record can have this GUID: it is too long or contains NUL
 */
export function parsePathGuid(part: string | undefined): string {
  const parsed = guid.safeParse(part);
  if (parsed.success && !parsed.data.includes('\0')) return parsed.data;
  throw new Failure('not-found', 'the path contains no valid GUID');
}
