import { Failure, wireFailure } from '@registrar/contracts';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { maxMessageBytes } from '../message-content.ts';

/** The body of a response, whose status is always 200. */
export const socketReply = z.object({
  reply: z.unknown().optional(),
  failure: wireFailure.optional(),
});
export type SocketReply = z.output<typeof socketReply>;

/** Reads a request's or a response's body. @throws {Failure} `invalid` when it is too large */
export async function readBody(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxMessageBytes) {
      throw new Failure('invalid', `a message exceeds ${maxMessageBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
