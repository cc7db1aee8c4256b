import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

type Catalogue = { readonly [key: string]: string | Catalogue };

const read = async (language: string): Promise<Catalogue> =>
  JSON.parse(
    await readFile(new URL(`messages/${language}.json`, import.meta.url), 'utf8'),
  ) as Catalogue;

/** Every text by its whole key. */
const textsOf = (catalogue: Catalogue, prefix = ''): [string, string][] =>
  Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : textsOf(value, `${prefix}${key}.`),
  );

const variablesOf = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);

describe('the catalogues of the console', () => {
  it('the German catalogue has the keys of the English one', async () => {
    const [english, german] = [await read('en'), await read('de')];
    const keys = (catalogue: Catalogue) => textsOf(catalogue).map(([key]) => key);
    expect(keys(german).toSorted()).toEqual(keys(english).toSorted());
  });

  it('a German text has the variables of the English one', async () => {
    const german = new Map(textsOf(await read('de')));
    const variables = textsOf(await read('en')).map(([key, text]) => [
      key,
      variablesOf(text).toSorted(),
      variablesOf(german.get(key) ?? '').toSorted(),
    ]);
    for (const [key, english, own] of variables) expect([key, own]).toEqual([key, english]);
  });

  it('no text is empty', async () => {
    for (const language of ['en', 'de']) {
      expect(textsOf(await read(language)).filter(([, text]) => text.trim() === '')).toEqual([]);
    }
  });
});
