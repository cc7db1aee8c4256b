import type { ServerResponse } from 'node:http';
import { clock } from '@registrar/platform';
import type { DataRate } from './http-limits.ts';

/** Injection token of the minimum data rate of responses. */
export const minResponseDataRate = Symbol('minimum data rate of responses');

/**
 * Ends a response whose client reads too slowly: data wait for it at the beginning and at the end of
 * a window of time, and it has taken too little in between.
 *
 * @param onEnd called before the connection is closed
 */
export function endSlowReading(
  response: ServerResponse,
  { windowMs, bytes }: DataRate,
  onEnd: () => void,
): void {
  let before = progressOf(response);
  let cancel: () => void;
  const beginWindow = () => {
    cancel = clock.schedule(windowMs, check);
  };
  const check = () => {
    const now = progressOf(response);
    const isSlow = before.waits && now.waits && now.sentBytes - before.sentBytes < bytes;
    before = now;
    if (!isSlow) return beginWindow();
    onEnd();
    response.destroy();
  };
  beginWindow();
  response.once('close', () => cancel());
}

/** How much a client has taken, and whether data wait for it. */
function progressOf({ socket }: ServerResponse): { sentBytes: number; waits: boolean } {
  const waitingBytes = socket?.writableLength ?? 0;
  return { sentBytes: (socket?.bytesWritten ?? 0) - waitingBytes, waits: waitingBytes > 0 };
}
