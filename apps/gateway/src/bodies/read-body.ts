import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasBody } from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import { bodyLimitBytes } from '../http/limits.ts';
import type { ParameterCollection } from '../parameters/request-parameters.ts';
import type { BodyParser } from './body-parser.ts';
import { FormParser } from './form-parser.ts';
import { joinPieces } from './join-pieces.ts';
import { JsonParser } from './json-parser.ts';
import { MultipartParser, type ReadFile } from './multipart-parser.ts';

/** The methods whose bodies carry parameters (contract/parameters#body-form). */
const methodsWithBody = new Set(['POST', 'PUT', 'DELETE']);

/** The bytes after which other requests get their turn. */
const turnBytes = 65_536;

const acceptedTypes = 'application/x-www-form-urlencoded, multipart/form-data or application/json';

const invalid = (reason: string) => new Failure('invalid', reason);

/**
 * Adds the parameters in the body of a request while it arrives (contract/parameters#sources). Other
 * requests get their turn in between, however large the body is.
 *
 * @param onBytes called with the number of bytes before they are kept in memory
 * @param readFile called with the file of a multipart body, after the parameters before it have been
 * added; must consume the file or reject
 * @throws {Failure} `invalid` when the body cannot be read or is beyond a limit
 */
export async function addBodyParameters(
  given: ParameterCollection,
  request: FastifyRequest,
  onBytes: (bytes: number) => void,
  readFile: ReadFile,
): Promise<void> {
  if (!methodsWithBody.has(request.method) || !hasBody(request)) return;
  const parser = parserFor(request, given, readFile);
  try {
    let keptBytes = 0;
    let bytesInTurn = 0;
    for await (const chunk of joinPieces(bytesOf(request))) {
      if (!parser.isInFile) {
        keptBytes += chunk.length;
        if (keptBytes > bodyLimitBytes) throw tooLarge();
        onBytes(chunk.length);
      }
      await parser.write(chunk);
      bytesInTurn += chunk.length;
      if (bytesInTurn < turnBytes) continue;
      await nextTurn();
      bytesInTurn = 0;
    }
    await parser.end();
  } catch (error) {
    await parser.abort?.(Failure.from(error));
    throw error;
  }
}

function parserFor(
  { headers }: FastifyRequest,
  given: ParameterCollection,
  readFile: ReadFile,
): BodyParser {
  const contentType = headers['content-type'];
  if (contentType === undefined) {
    throw invalid(`the body has no Content-Type: send ${acceptedTypes}`);
  }
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  if (type === 'multipart/form-data') {
    return new MultipartParser(contentType, given, readFile, bodyLimitBytes);
  }
  if (Number(headers['content-length'] ?? 0) > bodyLimitBytes) throw tooLarge();
  if (type === 'application/json') return new JsonParser(given);
  if (type === 'application/x-www-form-urlencoded') return new FormParser(given);
  throw invalid(`the Content-Type ${JSON.stringify(type.slice(0, 60))} is not ${acceptedTypes}`);
}

/** The bytes of a body. The connection stays open when the consumer stops, for the response. */
async function* bytesOf({ raw }: FastifyRequest): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw invalid(`the body cannot be read: ${Failure.from(error).message}`);
  }
}

const tooLarge = () => invalid(`the body is larger than ${bodyLimitBytes / 1024 / 1024} MiB`);
