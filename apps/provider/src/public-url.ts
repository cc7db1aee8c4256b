import type { HttpAdapterHost } from '@nestjs/core';
import type { AddressInfo, Server } from 'node:net';

/** The base URL of launch links, without a trailing slash. */
export class PublicUrl {
  /** @param configured the setting `PROVIDER_PUBLIC_URL`; null for localhost and the port */
  constructor(
    private readonly configured: string | null,
    private readonly http: Pick<HttpAdapterHost, 'httpAdapter'>,
  ) {}

  get value(): string {
    if (this.configured !== null) return this.configured.replace(/\/+$/, '');
    const server = this.http.httpAdapter.getHttpServer() as Server;
    return `http://localhost:${(server.address() as AddressInfo).port}`;
  }
}
