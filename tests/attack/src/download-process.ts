import { Agent, get } from 'node:http';

/** A file of a course window on this machine, and who downloads it. */
export interface DownloadLoops {
  readonly port: number;
  /** The origin of the window. */
  readonly host: string;
  readonly path: string;
  /** The client's address, of the loopback interface. */
  readonly address: string;
  /** How many downloads are made at a time, each followed by the next one. */
  readonly count: number;
}

/** Downloads files until it is killed: a process of its own, so that its work delays no other client. */
process.on('message', (loops: DownloadLoops) => {
  const agent = new Agent({ keepAlive: true, localAddress: loops.address });
  for (let started = 0; started < loops.count; started += 1) void repeat(agent, loops);
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

async function repeat(agent: Agent, loops: DownloadLoops): Promise<never> {
  for (;;) await download(agent, loops);
}

/** Resolves when the file has been read, or the request has failed. */
function download(agent: Agent, { port, host, path }: DownloadLoops): Promise<void> {
  return new Promise((resolve) => {
    const headers = { host };
    get({ agent, host: '127.0.0.1', port, path, headers }, (response) => {
      response.once('close', () => resolve()).resume();
    }).once('error', () => resolve());
  });
}
