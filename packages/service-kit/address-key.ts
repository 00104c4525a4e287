import { isIPv4, isIPv6 } from 'node:net';

/**
 * What limits count as one address: an IPv4 address, or the /64 of an IPv6 address, which one customer holds. One address has
 * one key, however it is written.
 */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [text = ''] = address.toLowerCase().split('%', 1);
  const [head = '', tail] = text.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const groups = [...before, ...zeros, ...after];
  return mappedOf(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/** The network that an address belongs to: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function networkKey(address: string): string {
  const key = addressKey(address);
  const [before = '', isNetwork] = key.split('::/64');
  if (isNetwork !== undefined) return `${before.split(':').slice(0, 3).join(':')}::/48`;
  return isIPv4(key) ? `${key.replace(/\.\d+$/, '')}.0/24` : key;
}

const groupsOf = (part: string): string[] =>
  part === ''
    ? []
    : part.split(':').flatMap((group) => (group.includes('.') ? pairsOf(group) : plain(group)));

const plain = (group: string) => group.replace(/^0+(?=.)/, '');

/** The two groups that a dotted end stands for. */
function pairsOf(dotted: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return [a * 256 + b, c * 256 + d].map((pair) => pair.toString(16));
}

/** An IPv4 address that came over an IPv6 socket: all of them share one /64. */
function mappedOf(groups: readonly string[]): string | null {
  if (groups.slice(0, 6).join() !== '0,0,0,0,0,ffff') return null;
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.');
}
