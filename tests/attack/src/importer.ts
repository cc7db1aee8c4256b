import { setTimeout as pause } from 'node:timers/promises';
import { HttpClient } from './http-client.ts';

/** Where packages are imported, and for whom. */
export interface ImportAccess {
  /** The address of the provider's import jobs. */
  readonly url: string;
  /** The header `Authorization` of an application. */
  readonly authorization: string;
}

interface ImportJob {
  readonly status: string;
  readonly message: string;
}

/** The client's address, of the loopback interface. */
const address = '127.0.1.4';
const pollMs = 500;

/** A client of the provider's API. */
export class Importer {
  readonly #client = new HttpClient({ baseUrls: [] }, address);

  constructor(private readonly access: ImportAccess) {}

  /** Imports a package, and returns its job when it has ended. */
  async import(zip: Uint8Array): Promise<ImportJob> {
    const { url, authorization } = this.access;
    const headers = { authorization };
    const body = new FormData();
    body.set('file', new Blob([Uint8Array.from(zip)]), 'course.zip');
    const upload = `${url}/upload?courseId=hostile&mayCreateNewVersion=true`;
    const { status, text } = await this.#client.send(upload, { headers, body });
    await pause(pollMs);
    if (status !== 200) return { status: String(status), message: text };
    const { result: jobId } = JSON.parse(text) as { result: string };
    for (;;) {
      const found = await this.#client.send(`${url}/${jobId}`, { headers });
      if (found.status !== 200) return { status: String(found.status), message: found.text };
      const job = JSON.parse(found.text) as ImportJob;
      if (job.status !== 'RUNNING') return job;
      await pause(pollMs);
    }
  }

  close(): void {
    this.#client.close();
  }
}
