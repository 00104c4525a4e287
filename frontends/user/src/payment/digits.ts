/** A field that holds digits alone, shown with separators that come and go by themselves. */
export interface DigitFormat {
  /** How many digits it takes. */
  readonly most: number;
  readonly show: (digits: string) => string;
}

/** A field's text and where the caret stands in it. */
export interface Edit {
  readonly text: string;
  readonly caret: number;
}

export const digitsOf = (text: string) => text.replace(/\D/g, '');

/**
 * The field after somebody has edited it. The caret stays behind the digit it was behind; deleting a separator
 * deletes the digit beyond it; digits for which there is no room are left out where they were typed.
 * @param before the text before the edit
 * @param typed what the browser made of it
 * @param forward whether the edit deletes what follows the caret
 */
export function afterEdit({ most, show }: DigitFormat, before: string, typed: Edit, forward: boolean): Edit {
  let head = digitsOf(typed.text.slice(0, typed.caret));
  let tail = digitsOf(typed.text.slice(typed.caret));
  const isSeparatorDeleted = typed.text.length < before.length && head + tail === digitsOf(before);
  if (isSeparatorDeleted && forward) tail = tail.slice(1);
  if (isSeparatorDeleted && !forward) head = head.slice(0, -1);
  const overflow = Math.max(0, head.length + tail.length - most);
  head = head.slice(0, Math.max(0, head.length - overflow));
  const text = show((head + tail).slice(0, most));
  return { text, caret: behindDigit(text, head.length) };
}

/** Where a text's n-th digit ends; 0 for none. */
function behindDigit(text: string, count: number): number {
  let passed = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (passed === count) return at;
    if (/\d/.test(text.charAt(at))) passed += 1;
  }
  return text.length;
}
