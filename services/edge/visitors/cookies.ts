/**
 * Keeps a response's cookies to the host that sets them: a cookie for the tunnel domain would reach the
 * panels of other users. Changes the fields in place.
 * @param fields names and values in turn.
 * @param host the host of the request, ASCII and lower case.
 */
export function scopeCookiesToHost(fields: string[], host: string): void {
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] as string;
    if (name.length !== 10 || name.toLowerCase() !== 'set-cookie') continue;
    const value = fields[index + 1] as string;
    if (/domain/i.test(value)) fields[index + 1] = scopedToHost(value, host);
  }
}

function scopedToHost(cookie: string, host: string): string {
  const [pair, ...attributes] = cookie.split(';');
  const kept = attributes.filter((attribute) => {
    const match = attribute.match(/^\s*domain\s*(?:=\s*(.*?)\s*)?$/i);
    return !match || match[1]?.replace(/^\./, '').toLowerCase() === host;
  });
  return [pair, ...kept].join(';');
}
