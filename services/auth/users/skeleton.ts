import { readFileSync } from 'node:fs';

/** What each character looks like, where it looks like another. */
const prototypes = new Map(
  readFileSync(new URL('confusables.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const [prototype = '', alike = ''] = line.split(' ; ').map(charactersOf);
      return [...alike].map((character) => [character, prototype] as const);
    }),
);

function charactersOf(codePoints: string): string {
  return String.fromCodePoint(...codePoints.split(' ').map((code) => Number.parseInt(code, 16)));
}

/**
 * What a text looks like (UTS #39, section 4): texts that people confuse have one skeleton. Compatibility forms
 * (fullwidth letters) count as what they stand for.
 */
function skeletonOf(text: string): string {
  const looks = [...text.normalize('NFKD')].map((character) => prototypes.get(character) ?? character);
  return looks.join('').normalize('NFKD');
}

/**
 * The skeletons of a user name: of it in lower case, and as it is written (`AIice`). Names that share one look alike.
 * Dots and hyphens at its ends, or several in a row, are easily overlooked.
 */
export function skeletonsOf(username: string): string[] {
  const plain = username.replace(/([_.-])\1+/g, '$1').replace(/^[_.-]+|[_.-]+$/g, '') || username;
  return [...new Set([skeletonOf(plain.toLowerCase()), skeletonOf(plain).toLowerCase()])];
}

/** A name in the form that reserved names have: its skeleton in lower case, hyphens between its parts. */
export const reservedForm = (username: string): string =>
  skeletonOf(username.toLowerCase())
    .toLowerCase()
    .replace(/[_.-]+/g, '-')
    .replace(/^-|-$/g, '');
