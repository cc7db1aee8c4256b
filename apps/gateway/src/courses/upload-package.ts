import type { Readable } from 'node:stream';
import type { BusClient } from '#libs/bus';
import { type AccessScope, appendPackagePiece } from '#libs/contracts';

/** The bytes of a piece (docs/decisions, 2). */
const pieceBytes = 512 * 1024;

/**
 * Sends a package to the catalog in pieces, one at a time, so that the client is read no faster
 * than the catalog takes them. Course create finds it by `uploadId`.
 */
export async function uploadPackage(
  bus: BusClient,
  scope: AccessScope,
  uploadId: string,
  file: Readable,
): Promise<void> {
  let index = 0;
  const send = async (piece: Buffer) => {
    const bytes = piece.toString('base64');
    await bus.request(appendPackagePiece, { scope, uploadId, index, bytes });
    index += 1;
  };
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    length += chunk.length;
    while (length >= pieceBytes) {
      const bytes = Buffer.concat(waiting);
      await send(bytes.subarray(0, pieceBytes));
      waiting = [bytes.subarray(pieceBytes)];
      length -= pieceBytes;
    }
  }
  if (length > 0 || index === 0) await send(Buffer.concat(waiting));
}
