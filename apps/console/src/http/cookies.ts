import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleAddress } from './console-address.ts';

/** The cookies of the console, by what they are for. */
type CookieName = 'registrar_console' | 'registrar_console_sign_in';

/** Reads and writes the console's cookies: no script reads them, and no other site sends them with changes. */
@Injectable()
export class Cookies {
  constructor(private readonly address: ConsoleAddress) {}

  read({ cookies }: FastifyRequest, name: CookieName): string | undefined {
    return cookies[this.#full(name)];
  }

  /** @param maxAge seconds; without it, the cookie ends with the browser */
  write(reply: FastifyReply, name: CookieName, value: string, maxAge?: number): void {
    const age = maxAge === undefined ? {} : { maxAge };
    void reply.setCookie(this.#full(name), value, { ...this.#attributes, ...age });
  }

  remove(reply: FastifyReply, name: CookieName): void {
    void reply.clearCookie(this.#full(name), this.#attributes);
  }

  get #attributes() {
    const { prefix, isSecure } = this.address;
    return { path: prefix || '/', httpOnly: true, secure: isSecure, sameSite: 'lax' } as const;
  }

  /** Browsers bind a name with a prefix to https, and `__Host-` to the host and the path `/` too (RFC 6265bis). */
  #full(name: CookieName): string {
    const { prefix, isSecure } = this.address;
    if (!isSecure) return name;
    return prefix === '' ? `__Host-${name}` : `__Secure-${name}`;
  }
}
