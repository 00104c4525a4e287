import { errorCodes, StreamError } from './errors.ts';

/** A response's head or its trailers: names in lower case; what was given several times is joined by commas. */
export type Head = Readonly<Record<string, string>>;

const connectionSpecific: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
const validName = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const invalidValue = /[\0\r\n]/;
const validStatus = /^[1-5]\d\d$/;

/** Names that were found valid before: a connector sends few different ones. */
const knownNames = new Set<string>();
const maximumKnownNames = 2_000;
const maximumKnownLength = 64;

const malformed = (message: string) => new StreamError(errorCodes.protocolError, message);

/**
 * @param fields names and values in turn.
 * @throws StreamError when HTTP/2 does not allow them in a response (RFC 9113, 8.2 and 8.3).
 */
export function readHead(fields: readonly string[], isTrailers: boolean): Head {
  const head: Record<string, string> = Object.create(null);
  let hasRegular = false;
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] as string;
    const value = fields[index + 1] as string;
    if (!isValidName(name)) throw malformed('a malformed name');
    if (invalidValue.test(value)) throw malformed('a malformed value');
    if (name.charCodeAt(0) === 58) {
      if (isTrailers || hasRegular || name !== ':status' || head[name] !== undefined)
        throw malformed('an unexpected pseudo-header');
    } else hasRegular = true;
    const before = head[name];
    head[name] = before === undefined ? value : `${before}, ${value}`;
  }
  if (!isTrailers && !validStatus.test(head[':status'] ?? '')) throw malformed('no valid status');
  return head;
}

function isValidName(name: string): boolean {
  if (knownNames.has(name)) return true;
  if (!validName.test(name) || connectionSpecific.has(name)) return false;
  if (name.length <= maximumKnownLength && knownNames.size < maximumKnownNames)
    knownNames.add(Buffer.from(name, 'latin1').toString('latin1'));
  return true;
}
