/** The part of a file that a request wants: both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a `Range` header (RFC 9110, 14.1.2). Several ranges at once, and units other than bytes,
 * may be ignored: the whole file is the answer then.
 *
 * @returns the range; `unsatisfiable` when it lies outside; null for the whole file
 */
export function byteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return null;
  const range =
    from === ''
      ? { first: Math.max(0, size - Number(to)), last: size - 1 }
      : { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
  if (from !== '' && to !== '' && Number(from) > Number(to)) return null;
  return range.first < size && range.first <= range.last ? range : 'unsatisfiable';
}
