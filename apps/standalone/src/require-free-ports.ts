import { createServer } from 'node:net';
import { SettingsError } from '@registrar/platform';

/** How many ports above a taken one are tried for the advice. */
const triedPorts = 100;

/**
 * Checks the ports of settings before anything is started. Port 0, which the system chooses, is free.
 *
 * @param ports by the name of the setting
 * @throws {SettingsError} that names each taken port, its setting, and a free port
 */
export async function requireFreePorts(ports: Readonly<Record<string, number>>): Promise<void> {
  const given = Object.entries(ports);
  const advised = new Set(Object.values(ports));
  const faults: string[] = [];
  const advice: string[] = [];
  for (const [setting, port] of given) {
    if (await isFree(port)) continue;
    faults.push(`port ${port} is in use by another program`);
    const free = await freePortAbove(port, advised);
    if (free === null) continue;
    advised.add(free);
    advice.push(`${setting}=${free}`);
  }
  if (faults.length === 0) return;
  const remedy =
    advice.length > 0 ? `. Free would be: ${advice.join(' ')}` : '. Stop it, or set another port';
  throw new SettingsError(faults.join(', ') + remedy);
}

async function freePortAbove(taken: number, others: ReadonlySet<number>): Promise<number | null> {
  const last = Math.min(taken + triedPorts, 65_535);
  for (let port = taken + 1; port <= last; port += 1) {
    if (!others.has(port) && (await isFree(port))) return port;
  }
  return null;
}

/** Whether an app could listen there, as `startApp` does. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', ({ code }: NodeJS.ErrnoException) =>
      // Any other error is reported by the app itself.
      resolve(code !== 'EADDRINUSE'),
    );
    probe.listen(port, '::', () => probe.close(() => resolve(true)));
  });
}
