import type { Readable } from 'node:stream';
import { Failure } from '#libs/contracts';
import type { FastifyRequest } from 'fastify';
import { type GivenParameters, ParameterCollection } from '../parameters/given-parameters.ts';

/**
 * The parameters of a request, from its query string and every kind of body (decision 4).
 *
 * @param takeFile called with a file of a multipart body and the parameters that came before it;
 * it reads the file to its end, or throws
 */
export async function readParameters(
  request: FastifyRequest,
  takeFile: (name: string, file: Readable, before: GivenParameters) => Promise<void>,
): Promise<GivenParameters> {
  const given = new ParameterCollection();
  given.takeForm(request.query);
  if (request.isMultipart()) {
    for await (const part of request.parts()) {
      if (part.type === 'file') await takeFile(part.fieldname, part.file, given);
      else if (part.valueTruncated) throw new Failure('invalid', 'a field of the form is too long');
      else given.take(part.fieldname, part.value);
    }
  } else if (request.headers['content-type']?.startsWith('application/json')) {
    given.takeJson(request.body);
  } else {
    given.takeForm(request.body);
  }
  return given;
}
