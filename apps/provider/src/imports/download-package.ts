import { clock } from '@registrar/platform';
import { HttpException } from '@nestjs/common';
import { ImportError, refusal } from '../packages/package-error.ts';
import { maxUploadBytes } from '../packages/package-limits.ts';
import type { UploadedFile } from './upload-space.ts';

/** The longest download: an application holds a part of the space for uploads meanwhile. */
const timeoutMs = 10 * 60_000;

/**
 * Downloads a package into a file. A redirect is not followed: it could lead to an origin that is not allowed.
 *
 * @param stopping ends the download
 * @throws {ImportError} if the package cannot be fetched, or is too large. The message repeats nothing of the URL,
 * whose path and query may contain secrets
 */
export async function downloadPackage(
  url: string,
  file: UploadedFile,
  stopping: AbortSignal,
): Promise<void> {
  const timeout = clock.timeout(timeoutMs);
  try {
    const signal = AbortSignal.any([timeout.signal, stopping]);
    const response = await fetch(url, { redirect: 'manual', signal });
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel();
      throw new ImportError(`The package could not be fetched: status ${response.status}.`);
    }
    for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
      if (file.size + bytes.length > maxUploadBytes) {
        throw refusal('package-too-large', `The package is larger than ${maxUploadBytes} bytes.`);
      }
      await file.write(Buffer.from(bytes));
    }
  } catch (error) {
    throw toImportError(error);
  } finally {
    timeout.cancel();
  }
}

function toImportError(error: unknown): unknown {
  if (error instanceof ImportError) return error;
  // The space for uploads is used up.
  if (error instanceof HttpException) return new ImportError(error.message);
  const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } };
  if (name === 'TimeoutError') {
    return new ImportError(
      `The package could not be fetched within ${timeoutMs / 60_000} minutes.`,
    );
  }
  // What `fetch` throws without a response, or when the response ends early.
  if (error instanceof TypeError) {
    return new ImportError(`The package could not be fetched: ${cause?.code ?? 'no response'}.`);
  }
  return error;
}
