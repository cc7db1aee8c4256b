import { BadRequestException } from '@nestjs/common';
import * as z from 'zod';

/** A setting with origins, separated by commas. */
export const originsSetting = z
  .string()
  .transform((text, context): readonly string[] => {
    const listed = text.split(',').flatMap((each) => each.trim() || []);
    const origins = listed.flatMap((each) => toOrigin(each) ?? []);
    if (origins.length === listed.length) return origins;
    const message = 'expected origins such as https://registrar.example.com, separated by commas';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .optional();

/** Returns the origin that a text names; null if it is none, or more than one origin. */
function toOrigin(text: string): string | null {
  const url = URL.parse(text);
  if (!url || text.includes('*') || !/^https?:$/.test(url.protocol)) return null;
  return url.href === `${url.origin}/` ? url.origin : null;
}

/**
 * Origins that the provider may send requests to. Applications choose the URLs, so without this list they could send
 * requests to every address that the provider reaches.
 */
abstract class AllowedOrigins {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[] = []) {
    this.#origins = new Set(origins);
  }

  includes(url: string): boolean {
    return this.#origins.has(new URL(url).origin);
  }

  /**
   * @param name of the value in the request
   * @throws {BadRequestException} if the operator of the provider does not allow the origin
   */
  assertIncludes(url: string, name: string): void {
    if (this.includes(url)) return;
    throw new BadRequestException(`${name}: ${this.refusalOf(new URL(url).origin)}`);
  }

  protected abstract refusalOf(origin: string): string;
}

/** The origins to which the provider posts results. */
export class PostbackOrigins extends AllowedOrigins {
  protected refusalOf(origin: string): string {
    return (
      `this provider does not post results to ${origin}. ` +
      'Its operator lists the origins that it may post to in PROVIDER_POSTBACK_ORIGINS.'
    );
  }
}

/** The origins from which the provider fetches packages. */
export class FetchOrigins extends AllowedOrigins {
  protected refusalOf(origin: string): string {
    return (
      `this provider does not fetch packages from ${origin}. ` +
      'Its operator lists the origins that it may fetch from in PROVIDER_FETCH_ORIGINS.'
    );
  }
}
