import { randomUUID } from 'node:crypto';
import { type CoursePackage } from './course-provider.ts';

/** A request body that is produced while it is sent. */
export interface StreamedBody {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly headers: Record<string, string>;
  /** The error of reading the package, which is not a fault of the provider; else null. */
  sourceError: Error | null;
}

/** Streams a course package as the only file of a multipart form (RFC 7578). */
export function packageUpload({ bytes, length }: CoursePackage): StreamedBody {
  const boundary = randomUUID();
  const head = Buffer.from(
    `--${boundary}\r\n` +
      'Content-Disposition: form-data; name="file"; filename="course.zip"\r\n' +
      'Content-Type: application/zip\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const body: StreamedBody = {
    stream: parts(),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(length !== undefined && { 'content-length': `${head.length + length + tail.length}` }),
    },
    sourceError: null,
  };
  async function* parts() {
    yield head;
    try {
      yield* bytes;
    } catch (error) {
      body.sourceError = error as Error;
      throw error;
    }
    yield tail;
  }
  return body;
}
