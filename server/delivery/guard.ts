/** SSRF guard: allows user-triggered requests only to public addresses and checks every connection. */
import ipaddr from "ipaddr.js";
import type { LookupFunction } from "node:net";
import { createResolver, type Resolve } from "./resolver.ts";

export type GuardReason = "scheme" | "userinfo" | "fragment" | "too_long" | "malformed" | "address_not_allowed";

/** Names what is wrong with a URL as a class that is safe to show, and reveals nothing about the host behind it. */
export class GuardError extends Error {
  readonly reason: GuardReason;
  constructor(reason: GuardReason) {
    super(REASON_MESSAGES[reason]);
    this.name = "GuardError";
    this.reason = reason;
  }
}

const REASON_MESSAGES: Record<GuardReason, string> = {
  scheme: "must start with https://",
  userinfo: "must not contain a username or password",
  fragment: "must not contain a fragment (#…)",
  too_long: "must have at most 2,048 characters",
  malformed: "must be a web address",
  address_not_allowed: "must be a public address",
};
const MAX_LENGTH = 2_048;
/** Addresses that look public but serve a cloud provider's metadata and secrets. */
const BLOCKED_CIDRS = ["168.63.129.16/32"];
/** IPv4-compatible IPv6 addresses (RFC 4291 2.5.5.1) are never public, whatever IPv4 address they embed. */
const IPV4_COMPATIBLE_RANGE = ipaddr.parseCIDR("::/96");
/**
 * NAT64 with the IPv4 address in the last four bytes (RFC 6052). The range beside it, 64:ff9b:1::/48 for a network's own
 * NAT64 (RFC 8215), is not unwrapped and so never public: each network decides where in it the IPv4 address lies.
 */
const NAT64_RANGE = ipaddr.parseCIDR("64:ff9b::/96");

export interface GuardOptions {
  allowHttp: boolean;
  /** Non-public networks that the operator allows. */
  allowCidrs: string[];
}

const DOTTED_TAIL = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;
const toIpv6Groups = ([a, b, c, d]: string[]): string =>
  [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(":");

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Returns the IPv4 address embedded in an IPv6 one (mapped, NAT64 RFC 6052, 6to4 RFC 3056), else the address itself. */
function unwrapIpv4(address: Address): Address {
  if (address.kind() === "ipv4") return address;
  const ipv6 = address as ipaddr.IPv6;
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address();
  const bytes = ipv6.toByteArray();
  if (ipv6.match(NAT64_RANGE)) return ipaddr.fromByteArray(bytes.slice(12, 16));
  if (ipv6.range() === "6to4") return ipaddr.fromByteArray(bytes.slice(2, 6));
  return ipv6;
}

export function createGuard(options: GuardOptions, resolve: Resolve = createResolver()) {
  const parseCidrs = (list: string[]) => list.map((cidr) => ipaddr.parseCIDR(cidr.includes("/") ? cidr : `${cidr}/${cidr.includes(":") ? 128 : 32}`));
  const allowed = parseCidrs(options.allowCidrs);
  const blocked = parseCidrs(BLOCKED_CIDRS);
  const isWithin = (address: Address, networks: ReturnType<typeof parseCidrs>) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits] as never));

  /** Returns whether a request may connect to this address. */
  function canReach(text: string): boolean {
    const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
    if (!ipaddr.isValid(bare)) return false;
    // ipaddr.js parses "::1.2.3.4" as the mapped "::ffff:1.2.3.4", so the dotted tail is converted to groups first.
    const outer = ipaddr.parse(bare.includes(":") ? bare.replace(DOTTED_TAIL, (_, ...parts: string[]) => toIpv6Groups(parts)) : bare);
    const inner = unwrapIpv4(outer);
    if (isWithin(outer, blocked) || isWithin(inner, blocked)) return false;
    if (isWithin(outer, allowed) || isWithin(inner, allowed)) return true;
    if (outer.kind() === "ipv6" && outer.match(IPV4_COMPATIBLE_RANGE)) return false;
    return inner.range() === "unicast" && (inner !== outer || outer.range() === "unicast");
  }

  return {
    canReach,

    /** Returns the parsed URL or throws a `GuardError`. Host names are resolved and checked at each connection, not here. */
    assertUrlAllowed(text: string): URL {
      if (text.length > MAX_LENGTH) throw new GuardError("too_long");
      if (!URL.canParse(text)) throw new GuardError("malformed");
      // The URL parser normalizes 0x7f000001, 127.1 and full-width digits to plain addresses, so the checks use its output.
      const url = new URL(text);
      if (url.protocol !== "https:" && !(options.allowHttp && url.protocol === "http:")) throw new GuardError("scheme");
      if (url.username || url.password) throw new GuardError("userinfo");
      if (url.hash || text.includes("#")) throw new GuardError("fragment");
      const host = url.hostname.replace(/^\[|\]$/g, "");
      if (ipaddr.isValid(host) ? !canReach(host) : /(^|\.)(localhost|local|internal)\.?$/i.test(host) && allowed.length === 0)
        throw new GuardError("address_not_allowed");
      return url;
    },

    /** A lookup function for `net.connect` that fails unless every resolved address is allowed. */
    lookup: ((hostname, lookupOptions, callback) => {
      resolve(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
        if (error) return callback(error, "", 0);
        if (addresses.length === 0 || !addresses.every(({ address }) => canReach(address))) return callback(new GuardError("address_not_allowed"), "", 0);
        if (lookupOptions.all) return callback(null, addresses);
        const [first] = addresses;
        return callback(null, first?.address ?? "", first?.family ?? 0);
      });
    }) as LookupFunction,
  };
}

export type Guard = ReturnType<typeof createGuard>;
