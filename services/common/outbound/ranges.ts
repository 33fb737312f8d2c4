// Addresses that are not on the public Internet, after the IANA registries of special-purpose addresses.
import { BlockList, isIP } from "node:net";

/** Each entry has the range and its kind. */
const ipv4 = [
  ["0.0.0.0/8", "an unspecified"],
  ["10.0.0.0/8", "a private"],
  ["100.64.0.0/10", "a shared (carrier-grade NAT)"],
  ["127.0.0.0/8", "a loopback"],
  // This address answers only inside Azure, with the machine's configuration.
  ["168.63.129.16/32", "a metadata"],
  ["169.254.0.0/16", "a link-local"],
  ["172.16.0.0/12", "a private"],
  ["192.0.0.0/24", "a reserved"],
  ["192.0.2.0/24", "a documentation"],
  ["192.88.99.0/24", "a reserved"],
  ["192.168.0.0/16", "a private"],
  ["198.18.0.0/15", "a benchmarking"],
  ["198.51.100.0/24", "a documentation"],
  ["203.0.113.0/24", "a documentation"],
  ["224.0.0.0/4", "a multicast"],
  ["240.0.0.0/4", "a reserved"],
] as const;

const ipv6 = [
  ["::/128", "an unspecified"],
  ["::1/128", "a loopback"],
  ["fc00::/7", "a private"],
  ["fe80::/10", "a link-local"],
  ["fec0::/10", "a private"],
  ["ff00::/8", "a multicast"],
  // Teredo, ORCHID and other assignments of the IETF.
  ["2001::/23", "a reserved"],
  ["2001:db8::/32", "a documentation"],
  // 6to4 carries any IPv4 address.
  ["2002::/16", "a reserved"],
  ["3fff::/20", "a documentation"],
] as const;

/**
 * Prefix of addresses that a gateway translates into the IPv4 address in their last 32 bits. BlockList compares mapped
 * addresses as IPv4.
 */
const NAT64 = "64:ff9b::";
const NAT64_BITS = 96;

const special = [
  ...ipv4.map(([range, kind]) => ({ kind, ranges: ranges4(range) })),
  ...ipv6.map(([range, kind]) => ({ kind, ranges: add(new BlockList(), range, "ipv6") })),
];

/** The only part of IPv6 with global addresses, and the two that carry IPv4 addresses. */
const global6 = new BlockList();
for (const range of ["2000::/3", "::ffff:0:0/96", `${NAT64}/${NAT64_BITS}`]) add(global6, range, "ipv6");

/**
 * Returns the kind of a special address, with its article: "a private".
 * @returns undefined when the address is global.
 */
export function specialKind(address: string): string | undefined {
  const family = isIP(address);
  // An address with a zone belongs to a link of this machine.
  if (family === 0 || address.includes("%")) return "a reserved";
  const type = family === 4 ? "ipv4" : "ipv6";
  const found = special.find(({ ranges }) => ranges.check(address, type));
  if (found !== undefined) return found.kind;
  return family === 6 && !global6.check(address, "ipv6") ? "a reserved" : undefined;
}

function ranges4(range: string): BlockList {
  const [network, bits] = range.split("/");
  return add(add(new BlockList(), range, "ipv4"), `${NAT64}${network}/${NAT64_BITS + Number(bits)}`, "ipv6");
}

function add(list: BlockList, range: string, family: "ipv4" | "ipv6"): BlockList {
  const [network = "", bits] = range.split("/");
  list.addSubnet(network, Number(bits), family);
  return list;
}
