import { eventually } from '@registrar/testing';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A postback that a receiver got. */
export interface ReceivedPostback {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP server that receives postbacks. */
export class Receiver {
  received: ReceivedPostback[] = [];
  #answers: Answer[] = [];
  #held: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;
  #server: Server | null = null;
  #port = 0;

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens; after a stop on the port of before. */
  async start(): Promise<this> {
    const server = createServer((request, response) => {
      void text(request).then(async (body) => {
        this.received.push({ path: request.url ?? '', headers: request.headers, body });
        const { status, headers } = this.#answers.shift() ?? { status: 204 };
        await this.#held;
        response.writeHead(status, headers).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }

  /** Answers the next postbacks so, and those after them with 204. */
  answer(...answers: Answer[]): void {
    this.#answers = answers;
  }

  /** Answers nothing until the release. */
  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  release(): void {
    this.#release();
  }

  /** Waits until so many postbacks have arrived, and returns them. */
  async arrived(count: number): Promise<readonly ReceivedPostback[]> {
    await eventually(`${count} postbacks have arrived`, () => this.received.length >= count);
    return this.received;
  }

  clear(): void {
    this.received = [];
    this.#answers = [];
    this.#held = Promise.resolve();
  }

  async stop(): Promise<void> {
    this.release();
    const server = this.#server;
    if (!server) return;
    this.#server = null;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}
