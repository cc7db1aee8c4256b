import type { HttpAdapterHost } from '@nestjs/core';
import type { AddressInfo, Server } from 'node:net';

/** Where learners' browsers reach this provider, without a slash at the end. */
export class PublicAddress {
  /** @param given the address that the operator has set; null for this machine's own */
  constructor(
    private readonly given: string | null,
    private readonly http: Pick<HttpAdapterHost, 'httpAdapter'>,
  ) {}

  get url(): string {
    if (this.given !== null) return this.given.replace(/\/+$/, '');
    const server = this.http.httpAdapter.getHttpServer() as Server;
    return `http://localhost:${(server.address() as AddressInfo).port}`;
  }
}
