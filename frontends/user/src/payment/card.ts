import { type DigitFormat, digitsOf } from './digits.ts';

/** A card as it is typed; checked for its form alone, sent nowhere. */
export interface Card {
  readonly number: string;
  readonly name: string;
  readonly expiry: string;
  readonly cvc: string;
}

/** How the fields of digits are shown: grouped in fours, a slash after the month. */
export const formats = {
  number: { most: 16, show: (digits) => digits.replace(/(\d{4})(?=\d)/g, '$1 ') },
  expiry: { most: 4, show: (digits) => digits.replace(/^(\d\d)(\d)/, '$1/$2') },
  cvc: { most: 4, show: (digits) => digits },
} as const satisfies Record<string, DigitFormat>;

/** Whether a field may be sent on. */
export const isRight: Readonly<Record<keyof Card, (text: string) => boolean>> = {
  number: (text) => digitsOf(text).length >= 16,
  name: (text) => text.trim() !== '',
  expiry: (text) => /^\d\d\/\d\d$/.test(text),
  cvc: (text) => /^\d{3,4}$/.test(text),
};

/** The last four digits, as a card is named in a summary. */
export const lastDigits = (number: string) => digitsOf(number).slice(-4);
