import { longestLoggedPath, type RequestMethod, requestMethods } from '@talpa/contracts/request-kinds';

const methods: ReadonlySet<string> = new Set(requestMethods);

/** A method of the closed list: over HTTP/2 a visitor may send any word. */
export const loggedMethod = (method: string): RequestMethod =>
  methods.has(method) ? (method as RequestMethod) : 'OTHER';

const plainPath = /^[\x21-\x7e]*$/;
const cut = '...';

/** A part of a string keeps the whole in memory; that of a longer one is copied. */
const shortTarget = 512;

/** A path as it is recorded: without its query, in printable ASCII, cut where it is too long. */
export function loggedPath(target: string): string {
  const path = withoutQuery(target).slice(0, longestLoggedPath + 1);
  const kept = target.length > shortTarget ? copyOf(path) : path;
  const plain = plainPath.test(kept) ? kept : kept.replace(/[^\x21-\x7e]/gu, encoded);
  return plain.length > longestLoggedPath ? `${plain.slice(0, longestLoggedPath - cut.length)}${cut}` : plain;
}

function withoutQuery(target: string): string {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  const fragment = path.indexOf('#');
  return fragment === -1 ? path : path.slice(0, fragment);
}

const copyOf = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le');

/** Bytes come as Latin-1; what is beyond is a character of HTTP/2's, or half of one. */
function encoded(character: string): string {
  const code = character.charCodeAt(0);
  if (code <= 0xff) return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
  return encodeURIComponent(character.toWellFormed());
}
