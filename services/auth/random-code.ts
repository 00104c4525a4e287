import { randomInt } from 'node:crypto';
import { codeAlphabet } from '@talpa/contracts';

/** A code of so many random characters, five bits each. */
export const randomCode = (length: number): string =>
  Array.from({ length }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('');
