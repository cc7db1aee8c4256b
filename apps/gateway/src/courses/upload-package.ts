import type { BusClient } from '@registrar/bus';
import { type AccessScope, appendPackagePiece } from '@registrar/contracts';

/** The size of a piece (docs/decisions/0002-package-upload-through-the-bus.md). */
const pieceBytes = 512 * 1024;

/** One attempt of a request to upload a package. */
export interface UploadAttempt {
  readonly scope: AccessScope;
  readonly uploadId: string;
  /** A repeated request has the same upload, and an attempt of its own. */
  readonly attemptId: string;
}

/**
 * Sends a package to the catalog in pieces, one at a time, so that the client is read no faster
 * than the catalog stores them. Course create refers to the package by `uploadId`.
 */
export async function uploadPackage(
  bus: BusClient,
  attempt: UploadAttempt,
  file: AsyncIterable<Buffer>,
): Promise<void> {
  let index = 0;
  const send = async (piece: Buffer) => {
    const bytes = piece.toString('base64');
    await bus.request(appendPackagePiece, { ...attempt, index, bytes });
    index += 1;
  };
  let buffered: Buffer[] = [];
  let bufferedBytes = 0;
  for await (const chunk of file) {
    buffered.push(chunk);
    bufferedBytes += chunk.length;
    while (bufferedBytes >= pieceBytes) {
      const bytes = Buffer.concat(buffered);
      await send(bytes.subarray(0, pieceBytes));
      buffered = [bytes.subarray(pieceBytes)];
      bufferedBytes -= pieceBytes;
    }
  }
  if (bufferedBytes > 0 || index === 0) await send(Buffer.concat(buffered));
}
