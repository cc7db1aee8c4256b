import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import { arabic } from './arabic.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { japanese } from './japanese.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';
import type { Catalogue } from './texts.ts';

/** The catalogues by language tag (RFC 5646). The first one is used where none fits. */
export const catalogues = {
  en: english as Catalogue,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  ja: japanese,
  ar: arabic,
} satisfies Record<string, Catalogue>;

export type Language = keyof typeof catalogues;

const available = Object.keys(catalogues) as Language[];

/**
 * Chooses the language of a page: that of the launch, else the one that the browser prefers (RFC 9110, section 12.5.4),
 * else English. A tag such as `de-AT` finds the catalogue of its language.
 *
 * @param culture the launch option, a language tag
 */
export function chooseLanguage(
  culture: string | null,
  { headers }: { readonly headers: IncomingHttpHeaders },
): Language {
  const preferred = (languages: string | undefined) =>
    new Negotiator({ headers: { 'accept-language': languages } }).language(available) as
      | Language
      | undefined;
  const ofLaunch = culture === null ? undefined : preferred(culture);
  return ofLaunch ?? preferred(headers['accept-language']) ?? 'en';
}
