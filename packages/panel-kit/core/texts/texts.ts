import type { Language } from '@talpa/contracts/language';
import { useMemo } from 'react';
import { fillText } from './fill-text.ts';
import { i18n, useLanguage } from './language.ts';

type Texts = Readonly<Record<string, string>>;
/** `key_one` and `key_other` are the forms of one text, chosen by its `count`. */
type KeyOf<T extends Texts> = keyof T extends infer K
  ? K extends `${infer Base}_${'one' | 'other'}`
    ? Base
    : K
  : never;
type ParamsIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsIn<Rest> : never;
type TextOf<T extends Texts, K> = K extends keyof T ? T[K] : T[`${K & string}_other` & keyof T];
type Arguments<Name extends string> = [Name] extends [never] ? [] : [Readonly<Record<Name, string | number>>];

/** Gives the text of a key; its parameters are typed by the German text. */
export type Translate<T extends Texts> = <K extends KeyOf<T> & string>(
  key: K,
  ...params: Arguments<ParamsIn<TextOf<T, K>>>
) => string;

/** Registers the texts of one part of the panel and gives the hook that reads them. */
export function defineTexts<const T extends Texts>(
  part: string,
  { de, en }: { de: T; en: Readonly<Record<keyof T, string>> },
): () => Translate<T> {
  i18n.addResourceBundle('de', part, de);
  i18n.addResourceBundle('en', part, en);
  const translate = (language: Language): Translate<T> => {
    // The keys are typed here; i18next's own types would ask for all texts of the panel in one place.
    const fixed = i18n.getFixedT(language, part) as (key: string, params: object) => string;
    // i18next chooses the form of a text by its `count`; what fills the text is ours.
    return (key, ...[params = {}]) => fillText(fixed(key, { ...params, skipInterpolation: true }), params);
  };
  return function useTexts() {
    const language = useLanguage();
    return useMemo(() => translate(language), [language]);
  };
}
