import { resolve } from 'node:path';
import {
  type BusSocket,
  busSocketPath,
  type InProcessTransport,
  probeBusSocket,
  serveBusSocket,
} from '@registrar/bus';
import { SettingsError } from '@registrar/platform';

/** How the command line reaches this process: through a socket, or not at all for a reason. */
export type CommandLineAccess =
  | { readonly socket: BusSocket; readonly notice: null }
  | { readonly socket: null; readonly notice: string };

/**
 * Fails early, with a message about the directory instead of one about the ports.
 *
 * @throws {SettingsError} when a process serves the socket in `DATA_DIR`
 */
export async function requireUnusedDirectory(dataDirectory: string): Promise<void> {
  let path: string;
  try {
    path = busSocketPath(dataDirectory);
  } catch {
    return;
  }
  if ((await probeBusSocket(path)) !== 'listening') return;
  throw new SettingsError(
    `DATA_DIR is in use by another running Registrar: ${resolve(dataDirectory)}. ` +
      'Stop that one, or set another DATA_DIR',
  );
}

/**
 * Serves the bus to the operator's command line, through a socket in `DATA_DIR`. Without one, as on
 * Windows or a file system without sockets, everything else works.
 */
export async function serveCommandLine(
  dataDirectory: string,
  bus: InProcessTransport,
): Promise<CommandLineAccess> {
  try {
    const socket = await serveBusSocket(busSocketPath(dataDirectory), bus);
    return { socket, notice: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { socket: null, notice: `The command line cannot reach this process: ${reason}` };
  }
}
