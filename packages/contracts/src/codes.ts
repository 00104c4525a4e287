/** Letters and digits that nobody takes for one another. */
export const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code as it is compared: one may type it small, without hyphens, and a letter for the digit that looks like it. */
export function plainCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}

/** A code as people read it: `XXXX-XXXX-XXXX`. */
export const shownCode = (code: string): string => (code.match(/.{4}/g) ?? []).join('-');
