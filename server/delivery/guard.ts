/** Which addresses a request on somebody else's behalf may reach: public ones only, checked at every connection (SSRF). */
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { createResolver, type Resolve } from "./names.ts";

export type GuardReason = "scheme" | "userinfo" | "fragment" | "too_long" | "malformed" | "address_not_allowed";

/** Says what is wrong with an address in a class that is safe to show; never what was found behind it. */
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
  userinfo: "must not contain a user name or password",
  fragment: "must not contain a fragment (#…)",
  too_long: "must have at most 2,048 characters",
  malformed: "must be a web address",
  address_not_allowed: "must be a public address",
};
const MAX_LENGTH = 2_048;
/** Reachable like public ones, but answering with a cloud's secrets. */
const BLOCKED_CIDRS = ["168.63.129.16/32"];
/** IPv4-compatible IPv6 addresses (RFC 4291 2.5.5.1): never public, whatever the IPv4 address inside. */
const IPV4_COMPATIBLE_RANGE = ipaddr.parseCIDR("::/96");

export interface GuardOptions {
  allowHttp: boolean;
  /** Networks that the operator allows although they are not public. */
  allowCidrs: string[];
}

const DOTTED_TAIL = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;
const toIpv6Groups = ([a, b, c, d]: string[]): string =>
  [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(":");

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The IPv4 address inside an IPv6 one (mapped, NAT64 RFC 6052, 6to4 RFC 3056), else the address itself. */
function unwrapIpv4(address: Address): Address {
  if (address.kind() === "ipv4") return address;
  const ipv6 = address as ipaddr.IPv6;
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address();
  const bytes = ipv6.toByteArray();
  const range = ipv6.range();
  if (range === "rfc6052") return ipaddr.fromByteArray(bytes.slice(12, 16));
  if (range === "6to4") return ipaddr.fromByteArray(bytes.slice(2, 6));
  return ipv6;
}

export function createGuard(options: GuardOptions, resolve: Resolve = createResolver()) {
  const parseCidrs = (list: string[]) => list.map((cidr) => ipaddr.parseCIDR(cidr.includes("/") ? cidr : `${cidr}/${cidr.includes(":") ? 128 : 32}`));
  const allowed = parseCidrs(options.allowCidrs);
  const blocked = parseCidrs(BLOCKED_CIDRS);
  const isWithin = (address: Address, networks: ReturnType<typeof parseCidrs>) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits] as never));

  /** Whether a request may connect to this address. */
  function canReach(text: string): boolean {
    const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
    if (!ipaddr.isValid(bare)) return false;
    // The parser takes "::1.2.3.4" for the mapped "::ffff:1.2.3.4": it gets the groups instead.
    const outer = ipaddr.parse(bare.includes(":") ? bare.replace(DOTTED_TAIL, (_, ...parts: string[]) => toIpv6Groups(parts)) : bare);
    const inner = unwrapIpv4(outer);
    if (isWithin(outer, blocked) || isWithin(inner, blocked)) return false;
    if (isWithin(outer, allowed) || isWithin(inner, allowed)) return true;
    if (outer.kind() === "ipv6" && outer.match(IPV4_COMPATIBLE_RANGE)) return false;
    return inner.range() === "unicast" && (inner !== outer || outer.range() === "unicast");
  }

  return {
    canReach,

    /** The parsed address, or a `GuardError`. Names are looked up at each connection, not here. */
    assertUrlAllowed(text: string): URL {
      if (text.length > MAX_LENGTH) throw new GuardError("too_long");
      if (!URL.canParse(text)) throw new GuardError("malformed");
      // The parser folds 0x7f000001, 127.1 and full-width digits into plain addresses: check what it made of it.
      const url = new URL(text);
      if (url.protocol !== "https:" && !(options.allowHttp && url.protocol === "http:")) throw new GuardError("scheme");
      if (url.username || url.password) throw new GuardError("userinfo");
      if (url.hash || text.includes("#")) throw new GuardError("fragment");
      const host = url.hostname.replace(/^\[|\]$/g, "");
      if (ipaddr.isValid(host) ? !canReach(host) : /(^|\.)(localhost|local|internal)\.?$/i.test(host) && allowed.length === 0)
        throw new GuardError("address_not_allowed");
      return url;
    },

    /** For `net.connect`: resolves, and refuses unless every address is allowed. */
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
