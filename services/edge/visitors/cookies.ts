import { isOurs } from './wall/cookies.ts';

/**
 * Keeps a response's cookies to the host that sets them: a cookie for the tunnel domain would reach the
 * panels of other users. Removes those that are named like the wall's own. Changes the fields in place.
 * @param fields names and values in turn.
 * @param host the host of the request, ASCII and lower case.
 */
export function scopeCookiesToHost(fields: string[], host: string): void {
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] as string;
    if (name.length !== 10 || name.toLowerCase() !== 'set-cookie') continue;
    const value = fields[index + 1] as string;
    if (isOurs(value)) {
      fields.splice(index, 2);
      index -= 2;
    } else if (/domain/i.test(value)) fields[index + 1] = scopedToHost(value, host);
  }
}

function scopedToHost(cookie: string, host: string): string {
  const [pair, ...attributes] = cookie.split(';');
  return [pair, ...attributes.filter((attribute) => mayStay(attribute, host))].join(';');
}

/** Without a regular expression: white space in a value, which panels choose, can cost one seconds. */
function mayStay(attribute: string, host: string): boolean {
  const equals = attribute.indexOf('=');
  const name = equals < 0 ? attribute : attribute.slice(0, equals);
  if (name.trim().toLowerCase() !== 'domain') return true;
  const value = equals < 0 ? '' : attribute.slice(equals + 1).trim();
  return value.replace(/^\./, '').toLowerCase() === host;
}
