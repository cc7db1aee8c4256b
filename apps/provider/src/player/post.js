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
