/** Validates an endpoint's URL while it is typed; the service validates it again, and resolves the host name at every attempt. */

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

/** Treats host names as public, because only a DNS lookup could determine that. */
function isPublic(hostname: string): boolean {
  if (hostname.startsWith("[")) return isPublicIpv6(hostname.slice(1, -1));
  if (/^\d+(\.\d+){3}$/.test(hostname)) return isPublicIpv4(hostname);
  return !LOCAL_NAME.test(hostname);
}

/** First address and prefix length of each non-public range (RFC 6890 and its successors) and of Azure's internal host (168.63.129.16). */
const RESERVED_IPV4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
const ipv4ToNumber = (address: string) => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);

function isPublicIpv4(address: string): boolean {
  const number = ipv4ToNumber(address);
  return !RESERVED_IPV4.some(([first, bits]) => Math.floor(number / 2 ** (32 - bits)) === Math.floor(ipv4ToNumber(first) / 2 ** (32 - bits)));
}

/**
 * Rejects `::`, addresses that consist of `::` and an IPv4 address (including loopback), and unique local, link-local and multicast addresses. The
 * service checks other forms that embed an IPv4 address.
 */
const isPublicIpv6 = (address: string) => !/^(::([0-9a-f]{1,4}(:[0-9a-f]{1,4})?)?$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|ff[0-9a-f]{2}:)/i.test(address);
