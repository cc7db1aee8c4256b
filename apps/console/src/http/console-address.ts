import { Injectable, Inject } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type ConsoleSettings, consoleSettingsToken } from '../settings.ts';

/** The path under which the console serves everything: empty, or with a slash at its beginning alone. */
export const pathPrefix = ({ CONSOLE_URL: url }: Pick<ConsoleSettings, 'CONSOLE_URL'>): string =>
  url === undefined ? '' : new URL(url).pathname.replace(/\/+$/, '');

/** Where browsers reach the console. */
@Injectable()
export class ConsoleAddress {
  /** See {@link pathPrefix}. */
  readonly prefix: string;
  readonly #origin: string | null;

  constructor(
    @Inject(consoleSettingsToken) settings: ConsoleSettings,
    private readonly http: HttpAdapterHost,
  ) {
    const { CONSOLE_URL: url } = settings;
    this.prefix = pathPrefix(settings);
    this.#origin = url === undefined ? null : new URL(url).origin;
  }

  /** Without CONSOLE_URL, that of the port that the server listens on. */
  get origin(): string {
    if (this.#origin !== null) return this.#origin;
    const server = this.http.httpAdapter.getHttpServer() as { address(): { port: number } };
    return `http://localhost:${server.address().port}`;
  }

  /** Whether browsers come by https, or by http from this machine alone. */
  get isSecure(): boolean {
    return this.origin.startsWith('https:');
  }

  /** The URL of a path of the console, which begins with a slash. */
  urlOf(path: string): string {
    return this.origin + this.prefix + path;
  }
}
