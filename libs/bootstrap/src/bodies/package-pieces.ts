/** The size of a piece (docs/decisions/0002-package-upload-through-the-bus.md). */
const pieceBytes = 512 * 1024;

/**
 * Cuts a course package into the pieces in which the catalog takes it. The file is read no faster than the pieces are
 * taken. An empty file is one empty piece.
 */
export async function* packagePieces(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let buffered: Buffer[] = [];
  let bufferedBytes = 0;
  let isEmpty = true;
  for await (const chunk of file) {
    buffered.push(chunk);
    bufferedBytes += chunk.length;
    while (bufferedBytes >= pieceBytes) {
      const bytes = Buffer.concat(buffered);
      isEmpty = false;
      yield bytes.subarray(0, pieceBytes);
      buffered = [bytes.subarray(pieceBytes)];
      bufferedBytes -= pieceBytes;
    }
  }
  if (bufferedBytes > 0 || isEmpty) yield Buffer.concat(buffered);
}
