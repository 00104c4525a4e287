import type { TextParams } from '@talpa/contracts/language';

const isNumber = (value: string | number) => typeof value === 'number' || /^\d[\d.,]*$/.test(value);

/**
 * Fills `{name}` in a text of the panel with its parameters, so that no line ends between a number and its noun:
 * „1 Proxy“, „365 Tage“, „Nr. 7“. What a parameter says itself, such as a name, stays as it is.
 */
export function fillText(text: string, params: TextParams = {}): string {
  return text
    .replace(/(\d|\bNr\.|\bHTTP|\bz\.) (?=[\p{L}\d{])/gu, '$1\u00a0')
    .replace(/\{(\w+)\}( (?=[\p{L}{]))?/gu, (whole, name: string, space = '') => {
      const value = params[name];
      if (value === undefined) return whole;
      return `${value}${space && isNumber(value) ? '\u00a0' : space}`;
    });
}
