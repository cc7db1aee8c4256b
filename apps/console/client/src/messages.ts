import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type en from './messages/en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

const catalogues = {
  en: () => import('./messages/en.json'),
  de: () => import('./messages/de.json'),
};

export type Language = keyof typeof catalogues;

/** The languages by their own names. */
export const languages: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

const storageKey = 'registrar-console-language';

const isLanguage = (value: string | null | undefined): value is Language =>
  value != null && Object.hasOwn(catalogues, value);

/** The language that was chosen here before, else the first of the browser's that there is. */
function preferredLanguage(): Language {
  const chosen = localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
}

async function load(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'translation')) {
    const { default: catalogue } = await catalogues[language]();
    i18next.addResourceBundle(language, 'translation', catalogue);
  }
  document.documentElement.lang = language;
}

/** Loads the texts of the reader's language. */
export async function startMessages(): Promise<void> {
  const language = preferredLanguage();
  await i18next
    .use(initReactI18next)
    .init({ lng: language, resources: {}, interpolation: { escapeValue: false } });
  await load(language);
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language);
  await load(language);
  await i18next.changeLanguage(language);
}
