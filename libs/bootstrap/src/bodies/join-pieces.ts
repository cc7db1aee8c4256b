/** The length of the pieces: bytes. */
const joinedBytes = 16_384;

/**
 * Joins the small pieces of a body, which may be single bytes: a buffer of its own for each of them
 * would take hundreds of times their memory.
 */
export async function* joinPieces(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  let joined: Buffer | null = null;
  let length = 0;
  for await (const piece of pieces) {
    if (length === 0 && piece.length >= joinedBytes) {
      yield piece;
      continue;
    }
    for (let from = 0; from < piece.length;) {
      joined ??= Buffer.allocUnsafe(joinedBytes);
      const copied = piece.copy(joined, length, from);
      from += copied;
      length += copied;
      if (length < joinedBytes) continue;
      yield joined;
      joined = null;
      length = 0;
    }
  }
  if (joined) yield joined.subarray(0, length);
}
