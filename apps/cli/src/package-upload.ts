import type { BusClient } from '@registrar/bus';
import { type AccessScope, appendPackagePiece, discardUpload } from '@registrar/contracts';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { UsageError } from './terminal.ts';

/** The size of a piece (docs/decisions/0002-package-upload-through-the-bus.md). */
const pieceBytes = 512 * 1024;

/** How long an upload may take together with the import or the check of the package. */
export const uploadTimeoutMs = 10 * 60_000;

/** @throws {UsageError} if the file cannot be read */
export async function requireReadable(file: string): Promise<void> {
  await access(file, constants.R_OK).catch((error: Error) => {
    throw new UsageError(error.message, { cause: error });
  });
}

/**
 * Uploads a package for `work`, and discards it afterwards unless its import has begun: until then it counts for what the
 * realm may upload.
 *
 * @throws {UsageError} if the file is empty
 */
export async function withUpload<T>(
  bus: BusClient,
  scope: AccessScope,
  file: string,
  work: (uploadId: string) => Promise<T>,
): Promise<T> {
  const upload = { scope, uploadId: randomUUID(), attemptId: randomUUID() };
  try {
    let index = 0;
    // One piece at a time.
    for await (const piece of createReadStream(file, { highWaterMark: pieceBytes })) {
      const bytes = (piece as Buffer).toString('base64');
      await bus.request(appendPackagePiece, { ...upload, index, bytes });
      index += 1;
    }
    if (index === 0) throw new UsageError(`${file} is empty`);
    return await work(upload.uploadId);
  } finally {
    // The catalog deletes what this does not reach.
    await bus.request(discardUpload, upload).catch(() => undefined);
  }
}
