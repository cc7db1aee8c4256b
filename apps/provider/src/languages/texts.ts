import type { english } from './english.ts';

/** A text that contains `{count}`, for each plural category of its language (`Intl.PluralRules`). */
export type PluralTexts = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

type TextsLike<Model> = {
  readonly [Key in keyof Model]: Model[Key] extends string
    ? string
    : Model[Key] extends PluralTexts
      ? PluralTexts
      : TextsLike<Model[Key]>;
};

/** All texts of the player and the notice pages in one language. Each has the keys of the English ones. */
export interface Catalogue {
  readonly direction: 'ltr' | 'rtl';
  readonly texts: TextsLike<typeof english.texts>;
}
