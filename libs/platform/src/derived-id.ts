import { createHash } from 'node:crypto';

/**
 * Derives a UUID (RFC 9562, version 8) from names. The same names give the same UUID, so a repeated
 * request finds what the first one created. It cannot be guessed without knowing all of the names.
 */
export function derivedId(...names: readonly string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(names)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
