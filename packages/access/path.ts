import { isUtf8 } from 'node:buffer';

/** A server that decodes more often is none that we know of; what is still encoded then may be anything. */
const rounds = 4;

/** A request's path: as it was sent, and its segments as the most careless server may read them; null: they may be anything. */
export interface ReadPath {
  readonly sent: string;
  readonly careless: readonly string[] | null;
}

/**
 * Reads the path of a request's target. Servers differ: they decode once, twice or never, cut parameters (`;x`), merge slashes, ignore
 * case, accents, final dots, spaces at both ends, streams (`::$DATA`), or know short names (`ADMINI~1`). Where they could go to another
 * folder (`..`, `\`, `//` in front, `#`, control bytes, bytes that are no UTF-8) the path may be anything.
 * @param target with its query; characters are bytes
 */
export function readPath(target: string): ReadPath {
  const [sent = ''] = target.split('?', 1);
  return { sent, careless: carelessly(sent) };
}

/** Whether a path is the prefix or below it: `maybe` where servers could differ. */
export function isBelow({ sent, careless }: ReadPath, prefix: string): 'yes' | 'no' | 'maybe' {
  const whole = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix;
  if (whole === '') return 'yes';
  if (careless === null) return 'maybe';
  const wanted = carelessly(whole) ?? [];
  if (!wanted.every((segment, index) => couldBe(careless[index], segment))) return 'no';
  return sent === whole || sent.startsWith(`${whole}/`) ? 'yes' : 'maybe';
}

function carelessly(sent: string): string[] | null {
  if (!sent.startsWith('/') || sent.includes('#')) return null;
  const text = decoded(sent);
  if (text === null || /[\\\p{Cc}]|%u[0-9a-f]{4}/iu.test(text)) return null;
  const folded = fold(text);
  // Look-alikes of these, as “／” and “％”, are read as such on Windows.
  if (folded !== text && /[/\\%]/.test(fold(text.replace(/\p{ASCII}+/gu, '')))) return null;
  if (folded.startsWith('//')) return null;
  const segments: string[] = [];
  for (const segment of folded.split('/')) {
    if (segment.split(/[;:#?]|[^\p{ASCII}\p{L}\p{N}]/u).some(isDots)) return null;
    const name = withoutEnd(segment);
    if (name !== '') segments.push(name);
  }
  return segments;
}

/** As text, without any encoding; null: it has none that all servers would read alike. */
function decoded(sent: string): string | null {
  let bytes = sent;
  for (let round = 0; round < rounds && bytes.includes('%'); round += 1)
    bytes = bytes.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  if (/%[0-9a-f]{2}|[^\0-\xff]/i.test(bytes)) return null;
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString() : null;
}

/** In lower case, without accents and what is invisible; “ａ” is an a. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    // “ẞ” is “ß” in lower case, and that “SS” in upper case.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase();

const isDots = (part: string) => part.includes('.') && /^[. ]+$/.test(part);

/** A segment without its parameters, its stream, spaces around it, and dots at its end. */
function withoutEnd(segment: string): string {
  const cut = segment.search(/[;#?]|:(?:[:$]|$)/);
  let end = cut === -1 ? segment.length : cut;
  while (end > 0 && (segment[end - 1] === '.' || segment[end - 1] === ' ')) end -= 1;
  return segment.slice(0, end).trimStart();
}

/** Whether a server may take a segment for a rule's. Windows makes ASCII of some letters, and knows files by short names. */
function couldBe(segment: string | undefined, wanted: string): boolean {
  if (segment === undefined) return false;
  if (segment === wanted || /~\d/.test(segment)) return true;
  if (segment.length !== wanted.length || !/[^\p{ASCII}]/u.test(segment)) return false;
  return Array.from(wanted).every((letter, index) => {
    const own = segment[index] ?? '';
    return own === letter || own > '\x7f';
  });
}
