/** A card as it is typed; checked for its form alone, sent nowhere. */
export interface Card {
  readonly number: string;
  readonly name: string;
  readonly expiry: string;
  readonly cvc: string;
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** How each field is shown while it is typed: digits grouped in fours, a slash after the month. */
export const formatted = {
  number: (text: string) =>
    digitsOf(text)
      .slice(0, 16)
      .replace(/(\d{4})(?=\d)/g, '$1 '),
  expiry: (text: string) =>
    digitsOf(text)
      .slice(0, 4)
      .replace(/^(\d\d)(\d)/, '$1/$2'),
  cvc: (text: string) => digitsOf(text).slice(0, 4),
} as const;

/** Whether a field may be sent on. */
export const isRight: Readonly<Record<keyof Card, (text: string) => boolean>> = {
  number: (text) => digitsOf(text).length >= 16,
  name: (text) => text.trim() !== '',
  expiry: (text) => /^\d\d\/\d\d$/.test(text),
  cvc: (text) => /^\d{3,4}$/.test(text),
};

/** The last four digits, as a card is named in a summary. */
export const lastDigits = (number: string) => digitsOf(number).slice(-4);
