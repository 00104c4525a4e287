import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;
/** Ranges that the operator has opened. */
export type Ranges = readonly (readonly [Address, number])[];

/** Answers settings and credentials to machines of its cloud, although its address is a public one. */
const metadata = ipaddr.parseCIDR('168.63.129.16/32');
/** Addresses outside of it lead nowhere, or carry an IPv4 address that a gateway would reach for us. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** @throws Error naming what is no range */
export function readRanges(list: readonly string[]): Ranges {
  return list.map((text) => {
    if (!ipaddr.isValidCIDR(text)) throw new Error(`${text} is not a range such as 10.0.0.0/8`);
    return ipaddr.parseCIDR(text);
  });
}

const isIn = (address: Address, range: readonly [Address, number]) =>
  address.kind() === range[0].kind() && address.match([range[0], range[1]]);

/** Whether the operator has opened the range that an address is in. */
export const isOpened = (text: string, opened: Ranges): boolean =>
  ipaddr.isValid(text) && opened.some((range) => isIn(ipaddr.parse(text), range));

/** Whether an address is one of the public Internet: what is not known to be one is none. */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || isIn(address, metadata)) return false;
  return address.kind() === 'ipv4' || (isIn(address, globalUnicast) && !isIsatap(address));
}

/** ISATAP has any prefix (RFC 5214, 6.1): `0:5efe` or `200:5efe` before the IPv4 address, whatever the bit for groups says. */
function isIsatap(address: Address): boolean {
  const bytes = address.toByteArray();
  return ((bytes[8] ?? 0) & 0xfc) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}
