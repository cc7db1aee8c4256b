import type { Readable } from 'node:stream';
import { Failure } from '#libs/contracts';
import type { FastifyRequest } from 'fastify';
import { type GivenParameters, ParameterCollection } from '../parameters/given-parameters.ts';
import { bodyLimit } from './edge-adapter.ts';

/**
 * The parameters of a request, from its query string and every kind of body (decision 4).
 *
 * @param takeFile called with a file of a multipart body and the parameters that came before it;
 * it reads the file to its end, or throws
 * @throws {Failure} `invalid` for a form whose fields are too long, each or together
 */
export async function readParameters(
  request: FastifyRequest,
  takeFile: (name: string, file: Readable, before: GivenParameters) => Promise<void>,
): Promise<GivenParameters> {
  const given = new ParameterCollection();
  given.takeForm(request.query);
  if (request.isMultipart()) {
    let room = bodyLimit;
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        await takeFile(part.fieldname, part.file, given);
        continue;
      }
      room -= Buffer.byteLength(String(part.value));
      if (part.valueTruncated || room < 0) {
        throw new Failure('invalid', 'the fields of the form are too long');
      }
      given.take(part.fieldname, part.value);
    }
  } else if (isJson(request)) {
    given.takeJson(request.body);
  } else {
    given.takeForm(request.body);
  }
  return given;
}

/** A GET may name the type of a body that it does not have. */
const isJson = ({ body, headers }: FastifyRequest) =>
  body !== undefined && /^application\/json/i.test(headers['content-type'] ?? '');
