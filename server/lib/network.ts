/** Reads client addresses as sockets and proxies give them, and groups them for limits: an IPv6 network contains too many addresses to count each. */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const WITH_PORT = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/;
/** Networks that one household (/64, /56) or one organization (/48) can choose addresses from. */
const IPV6_PREFIXES = [64, 56, 48] as const;
/** How many times the limit of a narrow network the networks of `toRateLimitNetworks` may reach, in the same order. */
const LIMIT_FACTORS = [1, 2, 4] as const;

/** Returns the address without the port that some proxies append, as in `198.51.100.8:40000` and `[2001:db8::1]:443`; null if the text is no address. */
export function parseAddress(text: string | undefined): string | null {
  const [, bracketed, beforePort] = WITH_PORT.exec(text ?? "") ?? [];
  const address = bracketed ?? beforePort ?? text ?? "";
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address) ? address : null;
}

/** Returns a predicate for addresses, with or without a port, that lie in one of these addresses and networks. */
export function createNetworkMatcher(networks: readonly string[]): (address: string | undefined) => boolean {
  const ranges = networks.map((network): [Address, number] => {
    if (network.includes("/")) return ipaddr.parseCIDR(network);
    const address = ipaddr.process(network);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
  return (text) => {
    const plain = parseAddress(text);
    if (plain === null) return false;
    const address = ipaddr.process(plain);
    return ranges.some((range) => {
      if (address.kind() === range[0].kind()) return address.match(range);
      return address.kind() === "ipv4" && (address as ipaddr.IPv4).toIPv4MappedAddress().match(range);
    });
  };
}

/** The networks of addresses that were asked for lately, because one request asks several times. */
const knownNetworks = new Map<string, readonly string[]>();
const MAX_KNOWN_NETWORKS = 1_000;

/** Returns the networks of an address from narrow to wide: the /64, /56 and /48 of an IPv6 address, and an IPv4 address itself. */
export function toRateLimitNetworks(address: string): readonly string[] {
  const known = knownNetworks.get(address);
  if (known) return known;
  if (knownNetworks.size >= MAX_KNOWN_NETWORKS) knownNetworks.clear();
  const networks = computeNetworks(address);
  knownNetworks.set(address, networks);
  return networks;
}

function computeNetworks(address: string): string[] {
  const plain = parseAddress(address);
  if (plain === null) return [address];
  const parsed = ipaddr.process(plain);
  if (parsed.kind() === "ipv4") return [parsed.toString()];
  const [withoutZone] = parsed.toString().split("%");
  return IPV6_PREFIXES.map((prefix) => `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone}/${prefix}`).toString()}/${prefix}`);
}

/** Returns the networks of an address, each with the limit that follows from that of the narrowest one. */
export const toNetworkLimits = (address: string, limit: number): { network: string; limit: number }[] =>
  toRateLimitNetworks(address).map((network, level) => ({ network, limit: limit * (LIMIT_FACTORS[level] ?? 1) }));

/** Returns the narrowest network of an address, for limits of one client. */
export const toRateLimitNetwork = (address: string): string => toRateLimitNetworks(address)[0] ?? address;

/**
 * Returns the address that a request came from. `ips` starts at the connection and goes on with what trusted proxies have forwarded; a forwarded text that is
 * no address counts for the proxy that sent it.
 */
export const clientAddress = ({ ip, ips }: { ip: string; ips?: readonly string[] }): string =>
  (ips ?? [ip]).map(parseAddress).findLast((address) => address !== null) ?? "unknown";
