import type { FileRange } from '../packages/read-package-file.ts';

/**
 * Parses a `Range` header (RFC 9110, section 14.1.2). Multiple ranges and other units than bytes
 * are ignored, which the RFC allows: the response is the whole file then.
 *
 * Neither range-parser 1.3 nor @fastify/send fits: both answer 416 to a suffix that is longer than
 * the file, for which the RFC demands the whole file.
 *
 * @returns the range; `unsatisfiable` if it is outside the file; null for the whole file
 */
export function byteRange(
  header: string | undefined,
  size: number,
): FileRange | 'unsatisfiable' | null {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return null;
  const range =
    from === ''
      ? { first: Math.max(0, size - Number(to)), last: size - 1 }
      : { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
  if (from !== '' && to !== '' && Number(from) > Number(to)) return null;
  return range.first < size && range.first <= range.last ? range : 'unsatisfiable';
}
