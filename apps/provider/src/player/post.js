import { Retry } from './retry.js';

/**
 * Bytes of the bodies of all keepalive requests of a page that have no response yet (Fetch Standard,
 * "HTTP-network-or-cache fetch").
 */
const maxKeepaliveBytes = 65_536;
let keepaliveBytes = 0;

export const byteLength = (text) => new TextEncoder().encode(text).length;

/** How many bytes more can be sent by requests that outlive the page. */
export const keepaliveRoom = () => maxKeepaliveBytes - keepaliveBytes;

/**
 * Posts JSON to a path of this course window.
 *
 * @param {{ keepalive: boolean }} options with `keepalive`, the request outlives the page if there is
 * room for it
 * @returns {{ response: Promise<Response>, outlivesPage: boolean }}
 */
export function post(path, body, { keepalive } = { keepalive: false }) {
  const size = byteLength(body);
  const outlivesPage = keepalive && size <= keepaliveRoom();
  const send = (isKept) =>
    fetch(new URL(path, document.baseURI), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      keepalive: isKept,
    });
  if (!outlivesPage) return { response: send(false), outlivesPage };
  keepaliveBytes += size;
  const response = send(true).finally(() => (keepaliveBytes -= size));
  return { response, outlivesPage };
}

/**
 * Sends a request until the provider answers, for hours if it has to.
 *
 * @param {() => Promise<Response>} send
 * @param {{ isWanted: () => boolean, delayed: () => void }} callbacks `isWanted` returns whether the request is still
 *   to be sent; `delayed` is called after each failure
 * @returns {Promise<{ response: Response, isRepeated: boolean } | null>} null if it is not wanted any more.
 *   `isRepeated`: an earlier request may have been executed, and its response was lost
 */
export async function untilAnswered(send, { isWanted, delayed }) {
  const retry = new Retry();
  for (let isRepeated = false; isWanted(); isRepeated = true) {
    const response = await send().catch(() => null);
    if (response && response.status < 500) return { response, isRepeated };
    delayed();
    await new Promise((resolve, reject) => {
      if (!retry.schedule(resolve)) reject(new Error('a request was not answered'));
    });
  }
  return null;
}

/** Posts JSON to a path of this course window until the provider answers. */
export const postUntilAnswered = (path, body, callbacks) =>
  untilAnswered(() => post(path, body).response, callbacks);
