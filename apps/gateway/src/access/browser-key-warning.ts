import type { AccessScope } from '@registrar/contracts';
import { appLogger, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** How long a warning about one key is not repeated, and for how many keys that is remembered. */
const quietMs = 60 * 60_000;
const maxKeys = 10_000;
/** More of an origin is not logged: characters. */
const maxOriginLength = 200;

/**
 * Warns in the log when a browser sends an API key that is not bound to a user: whoever opens the
 * page can read and change everything that the key reaches (contract/access#unbound-keys-in-browsers).
 */
@Injectable()
export class BrowserKeyWarning {
  readonly #warned = new LRUCache<number, true>({ max: maxKeys, ttl: quietMs });

  constructor(@Inject(appLogger) private readonly logger: Logger) {}

  /** @param origin the request's header `Origin`, which browsers add to requests of pages */
  check({ apiKeyId, user }: AccessScope, origin: string): void {
    if (apiKeyId === null || user !== null) return;
    if (this.#warned.has(apiKeyId)) return;
    this.#warned.set(apiKeyId, true);
    const shown = URL.canParse(origin) ? new URL(origin).origin.slice(0, maxOriginLength) : 'null';
    this.logger.warn(
      { api_key_id: apiKeyId, origin: shown },
      'a browser sent an API key that is not bound to a user: create keys for pages with user_email',
    );
  }
}
