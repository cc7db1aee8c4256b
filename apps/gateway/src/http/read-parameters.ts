import type { Readable } from 'node:stream';
import { Failure } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import type { ParameterCollection } from '../parameters/request-parameters.ts';
import { bodyLimitBytes } from './limits.ts';

/**
 * Adds the parameters in the body of a request (contract/parameters#sources).
 *
 * @param readFile called with each file of a multipart body, after the parameters before it have
 * been added; must consume the file or throw
 * @throws {Failure} `invalid` when the body cannot be read, or its fields exceed the body limit
 */
export async function addBodyParameters(
  given: ParameterCollection,
  request: FastifyRequest,
  readFile: (name: string, file: Readable) => Promise<void>,
): Promise<void> {
  if (request.isMultipart()) {
    let remainingBytes = bodyLimitBytes;
    for await (const part of partsOf(request)) {
      if (part.type === 'file') {
        await readFile(part.fieldname, part.file);
        continue;
      }
      remainingBytes -= Buffer.byteLength(String(part.value));
      if (part.valueTruncated || remainingBytes < 0) {
        throw new Failure('invalid', 'the fields of the form are too long');
      }
      given.add(part.fieldname, part.value);
    }
  } else if (hasJsonBody(request)) {
    given.addJson(request.body);
  } else {
    given.addForm(request.body);
  }
}

/** The parts of a multipart form; errors of the parser become failures, whose fault is the form. */
async function* partsOf(request: FastifyRequest): ReturnType<FastifyRequest['parts']> {
  try {
    yield* request.parts();
  } catch (error) {
    throw new Failure(
      'invalid',
      `the multipart form cannot be read: ${Failure.from(error).message}`,
    );
  }
}

/** Some clients send a Content-Type without a body. */
const hasJsonBody = ({ body, headers }: FastifyRequest) =>
  body !== undefined && /^application\/json/i.test(headers['content-type'] ?? '');
