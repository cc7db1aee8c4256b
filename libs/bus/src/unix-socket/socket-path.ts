import { connect } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { SettingsError } from '@registrar/platform';

/** The longest path of a socket in bytes, without the final NUL (unix(7), and unix(4) of macOS). */
const maxPathBytes = process.platform === 'darwin' ? 103 : 107;

/**
 * The path of the socket in the data directory of an installation of one process. It is relative if
 * that is shorter, because the length of a socket's path is limited.
 *
 * @throws {SettingsError} on Windows, which has no such sockets, and when the path is too long
 */
export function busSocketPath(dataDirectory: string): string {
  if (process.platform === 'win32') {
    throw new SettingsError('Windows has no Unix sockets: the command line needs AMQP_URL there');
  }
  const absolute = resolve(dataDirectory, join('run', 'registrar.sock'));
  const fromHere = relative(process.cwd(), absolute);
  const path = Buffer.byteLength(fromHere) < Buffer.byteLength(absolute) ? fromHere : absolute;
  const length = Buffer.byteLength(path);
  if (length <= maxPathBytes) return path;
  throw new SettingsError(
    `DATA_DIR is too long for a Unix socket in it: ${path} has ${length} bytes, and ` +
      `${maxPathBytes} are possible. Choose a shorter DATA_DIR, or a working directory near it`,
  );
}

/**
 * Finds out whether a process listens on a socket.
 *
 * @returns `forbidden` when the socket belongs to another user
 */
export function probeBusSocket(path: string): Promise<'listening' | 'absent' | 'forbidden'> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('listening');
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EACCES' || code === 'EPERM' ? 'forbidden' : 'absent'),
    );
  });
}
