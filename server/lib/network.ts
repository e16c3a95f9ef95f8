/** Whose address it is, for counting: an IPv6 network of a household or host (/64) has more addresses than anybody could count. */
import ipaddr from "ipaddr.js";

export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv6"
    ? `${(parsed as ipaddr.IPv6).parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(":")}::/64`
    : parsed.toString();
}
