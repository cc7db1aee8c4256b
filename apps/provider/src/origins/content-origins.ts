import type { HttpAdapterHost } from '@nestjs/core';
import type { AddressInfo, Server } from 'node:net';

/** The part of `PROVIDER_CONTENT_URL` that the label of an origin replaces. */
const wildcard = '*.';

/** What the Host header of a request names. */
export type RequestedHost =
  /** No content host: the API. */
  | 'api'
  /** The origin of the registration or the preview with this label. */
  | { readonly label: string }
  /** The origin that all of them share. */
  | 'shared';

/**
 * The origins of course content (docs/decisions/0012-content-origins.md, 0026-content-transfer.md). With a wildcard in
 * the URL, each registration and each preview has an origin of its own, whose host begins with its label.
 */
export class ContentOrigins {
  /**
   * @param configured the setting `PROVIDER_CONTENT_URL`; null for the subdomains of localhost, at
   * the port of the server
   */
  constructor(
    private readonly configured: string | null,
    private readonly http: Pick<HttpAdapterHost, 'httpAdapter'>,
  ) {}

  /** Returns the URL under which the launches with this label are served, without a trailing slash. */
  urlOf(label: string): string {
    return this.url.replace(wildcard, `${label}.`);
  }

  /** Whether browsers reach the origins by HTTPS. */
  get areSecure(): boolean {
    return this.url.startsWith('https:');
  }

  /** Reads a Host header. Its port is ignored, because a proxy may change it. */
  parse(host: string | undefined): RequestedHost {
    const name = (host ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
    const content = new URL(this.url).hostname;
    if (!content.startsWith(wildcard)) return name === content ? 'shared' : 'api';
    const domain = content.slice(wildcard.length - 1);
    return name.endsWith(domain) ? { label: name.slice(0, -domain.length) } : 'api';
  }

  private get url(): string {
    if (this.configured !== null) return this.configured.replace(/\/+$/, '');
    const server = this.http.httpAdapter.getHttpServer() as Server;
    return `http://*.localhost:${(server.address() as AddressInfo).port}`;
  }
}
