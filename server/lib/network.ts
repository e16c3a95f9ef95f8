/** Groups client addresses for rate limiting: an IPv6 /64, as one household or host has, contains too many addresses to count each. */
import ipaddr from "ipaddr.js";

export function toRateLimitNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv6"
    ? `${(parsed as ipaddr.IPv6).parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(":")}::/64`
    : parsed.toString();
}
