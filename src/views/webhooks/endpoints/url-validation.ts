/** Validates an endpoint's URL while it is typed; the service validates it again, and resolves the host name at every attempt. */
import ipaddr from "ipaddr.js";

export type UrlIssue = "scheme" | "credentials" | "fragment" | "tooLong" | "malformed" | "private";

export interface UrlPolicy {
  /** Whether http:// is allowed besides https://. */
  isHttpAllowed: boolean;
  /** Whether private addresses are allowed; only the service knows which. */
  isLocalAllowed: boolean;
}

const MAX_LENGTH = 2_048;
const LOCAL_NAME = /(^|\.)(localhost|local|internal)\.?$/i;

/** Returns the URL's issue, or null if it is valid. */
export function findUrlIssue(text: string, policy: UrlPolicy): UrlIssue | null {
  if (text.length > MAX_LENGTH) return "tooLong";
  if (!URL.canParse(text)) return "malformed";
  // The parser normalizes 0x7f000001, 127.1 and full-width digits to plain addresses.
  const url = new URL(text);
  if (url.protocol !== "https:" && !(policy.isHttpAllowed && url.protocol === "http:")) return "scheme";
  if (url.username || url.password) return "credentials";
  if (url.hash || text.includes("#")) return "fragment";
  return policy.isLocalAllowed || isPublic(url.hostname) ? null : "private";
}

/** Returns true while the host is still being typed, when no issue should be shown yet. */
export function isIncomplete(text: string): boolean {
  if ("https://".startsWith(text.toLowerCase()) || "http://".startsWith(text.toLowerCase())) return true;
  const host = /^https?:\/\/([^/?#]*)$/i.exec(text)?.[1];
  return host !== undefined && !/[.:\]@]/.test(host) && !LOCAL_NAME.test(host);
}

/** Azure's internal host, which looks public. */
const BLOCKED_IPV4 = "168.63.129.16";

/** Treats host names as public, because only a DNS lookup could determine that. */
function isPublic(hostname: string): boolean {
  if (hostname.startsWith("[")) return isPublicIpv6(hostname.slice(1, -1));
  if (ipaddr.IPv4.isValidFourPartDecimal(hostname)) return hostname !== BLOCKED_IPV4 && ipaddr.IPv4.parse(hostname).range() === "unicast";
  return !LOCAL_NAME.test(hostname);
}

/**
 * Rejects `::`, addresses that consist of `::` and an IPv4 address (including loopback), and unique local, link-local and multicast addresses. The
 * service checks other forms that embed an IPv4 address.
 */
const isPublicIpv6 = (address: string) => !/^(::([0-9a-f]{1,4}(:[0-9a-f]{1,4})?)?$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|ff[0-9a-f]{2}:)/i.test(address);
