import { packagePieces } from '@registrar/bootstrap';
import type { BusClient } from '@registrar/bus';
import { type AccessScope, appendPackagePiece } from '@registrar/contracts';

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
  for await (const piece of packagePieces(file)) {
    const bytes = piece.toString('base64');
    await bus.request(appendPackagePiece, { ...attempt, index, bytes });
    index += 1;
  }
}
