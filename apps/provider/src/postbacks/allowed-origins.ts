import { BadRequestException } from '@nestjs/common';
import * as z from 'zod';

/** The setting `PROVIDER_POSTBACK_ORIGINS`: origins, separated by commas. */
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
 * The origins to which the provider posts results. Applications choose the URLs of postbacks, so
 * without this list they could send requests to every address that the provider reaches.
 */
export class AllowedOrigins {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  includes(url: string): boolean {
    return this.#origins.has(new URL(url).origin);
  }

  /** @throws {BadRequestException} if the operator of the provider does not allow the origin */
  assertIncludes(url: string): void {
    if (this.includes(url)) return;
    throw new BadRequestException(
      `postBack.url: this provider does not post results to ${new URL(url).origin}. ` +
        'Its operator lists the origins that it may post to in PROVIDER_POSTBACK_ORIGINS.',
    );
  }
}
