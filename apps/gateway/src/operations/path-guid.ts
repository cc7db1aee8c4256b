import { Failure, guid } from '#libs/contracts';

/**
 * The GUID that a part of the path names.
 *
 * @throws {Failure} `not-found` for a text that nothing can have as its GUID
 */
export function pathGuid(part: string | undefined): string {
  const parsed = guid.safeParse(part);
  if (parsed.success && !parsed.data.includes('\0')) return parsed.data;
  throw new Failure('not-found', 'the path names no GUID');
}
