import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { catalogues, chooseLanguage, type Language } from './languages.ts';

const languages = Object.keys(catalogues) as Language[];

/** The texts of a catalogue by their paths, such as `player.offline.cause`. */
const textsOf = (value: unknown, path: readonly string[] = []): [string, string][] =>
  typeof value === 'string'
    ? [[path.join('.'), value]]
    : Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, [...path, key]));

const isPlural = (path: string) => path.startsWith('player.offline.unsaved');
const fieldsIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([field]) => field);

describe('the catalogues of the player', () => {
  it.each(languages)(
    'the catalogue %s has every text of the English one, with its fields',
    (language) => {
      const english = Object.fromEntries(
        textsOf(catalogues.en.texts).filter(([path]) => !isPlural(path)),
      );
      const texts = Object.fromEntries(
        textsOf(catalogues[language].texts).filter(([path]) => !isPlural(path)),
      );
      expect(Object.keys(texts)).toEqual(Object.keys(english));
      for (const [path, text] of Object.entries(texts)) {
        expect([path, text.trim()]).toEqual([path, expect.stringMatching(/./)]);
        expect([path, fieldsIn(text)]).toEqual([path, fieldsIn(english[path] ?? '')]);
      }
    },
  );

  it.each(languages)('the catalogue %s has a form for each number of results', (language) => {
    const forms = catalogues[language].texts.player.offline.unsaved;
    const rules = new Intl.PluralRules(language);
    const categories = Array.from({ length: 200 }, (_, at) => rules.select(at + 1));
    expect(Object.keys(forms).toSorted()).toEqual(
      [...new Set(categories), 'other']
        .filter((each, at, all) => all.indexOf(each) === at)
        .toSorted(),
    );
  });

  it.each(languages.filter((each) => each !== 'en'))(
    'the catalogue %s repeats no English sentence',
    (language) => {
      const english = new Set(textsOf(catalogues.en.texts).map(([, text]) => text));
      const same = textsOf(catalogues[language].texts).filter(([, text]) => english.has(text));
      expect(same).toEqual([]);
    },
  );

  it('the scripts of the player name texts that exist, and contain none of their own', async () => {
    const folder = new URL('../player/', import.meta.url);
    const known = catalogues.en.texts.player as Readonly<Record<string, unknown>>;
    const named = new Set<string>();
    for (const name of await readdir(folder)) {
      if (!/^[a-z-]+\.js$/.test(name)) continue;
      const source = await readFile(new URL(name, folder), 'utf8');
      for (const [, key = ''] of source.matchAll(/\btexts\.(?!js)(\w+)/g)) named.add(key);
      expect([name, /textContent = ['"`]/.test(source)]).toEqual([name, false]);
    }
    expect([...named].filter((key) => !(key in known))).toEqual([]);
    const page = await readFile(new URL('player.html', folder), 'utf8');
    const unused = Object.keys(known).filter(
      (key) => !named.has(key) && !page.includes(`{{${key}}}`),
    );
    expect(unused).toEqual([]);
    // Between tags, the page has fields alone.
    expect(page.match(/>[^<{}]*[a-z][^<{}]*</gi)).toBeNull();
  });
});

describe('the language of a page', () => {
  const choose = (culture: string | null, accepted?: string) =>
    chooseLanguage(culture, {
      headers: accepted === undefined ? {} : { 'accept-language': accepted },
    });

  it('the language of the launch precedes that of the browser', () => {
    expect(choose('fr', 'de')).toBe('fr');
    expect(choose('PT-br', 'de')).toBe('pt');
    expect(choose('ja-Latn-JP', 'de')).toBe('ja');
    expect(choose('it', 'de')).toBe('de');
    expect(choose('it', 'fi')).toBe('en');
  });

  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de-AT', 'de'],
    ['it, es;q=0.4, fr;q=0.8', 'fr'],
    ['de;q=0, *;q=0.5', 'en'],
    ['fr;q=0.2, ja', 'ja'],
    ['malformed;;q=x', 'en'],
  ] as const)('the language of a browser that accepts %s is %s', (accepted, language) => {
    expect(choose(null, accepted)).toBe(language);
  });
});
