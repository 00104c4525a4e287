const rounds = 4;

/**
 * A path as servers may read it: decoded, in lower case, without `.`, `..`, doubled slashes and parameters.
 * @param path without its query
 */
export function normalPath(path: string): string {
  let text = path;
  for (let round = 0; round < rounds && text.includes('%'); round += 1) text = decoded(text);
  const segments: string[] = [];
  for (const raw of text.replaceAll('\\', '/').split('/')) {
    const [segment = ''] = raw.split(';', 1);
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return `/${segments.join('/')}`.toLowerCase();
}

/** Whether a path is the prefix or below it. */
export function isBelow(path: string, prefix: string): boolean {
  const whole = prefix.replace(/\/+$/, '');
  return path === whole || path.startsWith(`${whole}/`);
}

function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
