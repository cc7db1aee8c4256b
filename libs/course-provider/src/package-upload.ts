import { randomUUID } from 'node:crypto';
import { type CoursePackage } from './course-provider.ts';

/** A request body that is made while it is sent. */
export interface StreamedBody {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly headers: Record<string, string>;
  /** What reading the package threw, if it did: no fault of the provider's. */
  sourceFault: Error | null;
}

/** A course package as the one file of a form (RFC 7578), never held whole. */
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
    sourceFault: null,
  };
  async function* parts() {
    yield head;
    try {
      yield* bytes;
    } catch (error) {
      body.sourceFault = error as Error;
      throw error;
    }
    yield tail;
  }
  return body;
}
