import type { Readable } from 'node:stream';
import { Failure } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import { ParameterCollection, type RequestParameters } from '../parameters/request-parameters.ts';
import { bodyLimitBytes } from './fastify-adapter.ts';

/**
 * Reads the parameters of a request from its query string and its body (contract/parameters#sources).
 *
 * @param readFile called with each file of a multipart body and the parameters before it; must
 * consume the file or throw
 * @throws {Failure} `invalid` when the fields of a form exceed the body limit
 */
export async function readParameters(
  request: FastifyRequest,
  readFile: (name: string, file: Readable, before: RequestParameters) => Promise<void>,
): Promise<RequestParameters> {
  const given = new ParameterCollection();
  given.addForm(request.query);
  if (request.isMultipart()) {
    let remainingBytes = bodyLimitBytes;
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        await readFile(part.fieldname, part.file, given);
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
  return given;
}

/** Some clients send a Content-Type without a body. */
const hasJsonBody = ({ body, headers }: FastifyRequest) =>
  body !== undefined && /^application\/json/i.test(headers['content-type'] ?? '');
