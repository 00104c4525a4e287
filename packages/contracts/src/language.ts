/** The two languages of the product; German is the default. */
export const languages = ['de', 'en'] as const;
export type Language = (typeof languages)[number];
/** One text in both languages; `{name}` is replaced by a parameter. */
export type Text = Readonly<Record<Language, string>>;
export type TextParams = Readonly<Record<string, string | number>>;

/** Characters of an `Accept-Language` header that are read; browsers send fewer. */
const readLength = 500;

/** The language to answer in, from an `Accept-Language` header; German without a wish we can meet. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'de';
  // What the panel itself sends needs no look at tags and qualities.
  const named = languages.find((language) => language === acceptLanguage);
  if (named) return named;
  const wishes = acceptLanguage
    .slice(0, readLength)
    .split(',')
    .map((part) => {
      const [tag = '', ...options] = part.trim().toLowerCase().split(';');
      const quality = options.find((option) => option.trim().startsWith('q='));
      return { language: tag.split('-')[0], quality: quality ? Number(quality.trim().slice(2)) : 1 };
    });
  const best = wishes
    .filter((wish) => wish.quality > 0 && languages.some((language) => language === wish.language))
    .sort((a, b) => b.quality - a.quality)[0];
  return best?.language === 'en' ? 'en' : 'de';
}

/** Fills `{name}` in a text with its parameters. */
export function fill(text: string, params: TextParams = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
