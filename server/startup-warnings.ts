/** Finds settings that are allowed but probably mistakes; the start prints them. */
import type { Config } from "./config.ts";

type Warning = [string, ...string[]];

/** Returns the lines of each warning. `isPublicUrlSet`: false if `publicUrl` was derived from host and port. `isForwarding`: the data is another service's. */
export function startupWarnings(
  { publicUrl, host, trustProxy }: Pick<Config, "publicUrl" | "host" | "trustProxy">,
  { isRoot, isPublicUrlSet, isForwarding = false }: { isRoot: boolean; isPublicUrlSet: boolean; isForwarding?: boolean },
): Warning[] {
  const warnings: Warning[] = [];
  if (publicUrl.startsWith("http:") && !/^http:\/\/(localhost|127\.|\[::1\])/.test(publicUrl))
    warnings.push([
      `${publicUrl} is not https: passwords and cookies are sent unencrypted,`,
      `and browsers disable microphone and clipboard. Put a reverse proxy with https in front.`,
    ]);
  if (["0.0.0.0", "::"].includes(host) && !isPublicUrlSet)
    warnings.push([`Listening on all addresses, but only pages opened at ${publicUrl} can make changes. Set PUBLIC_URL to the address that people open.`]);
  if (publicUrl.startsWith("https:") && trustProxy.length === 0 && !isForwarding)
    warnings.push([
      `PUBLIC_URL is https, so a reverse proxy is in front, but TRUST_PROXY is empty: all requests count as the proxy's own,`,
      `and ten wrong passwords of one stranger block everybody's sign-in. Set TRUST_PROXY to the proxy's address, such as 127.0.0.1.`,
    ]);
  if (isRoot && !isForwarding)
    warnings.push([`Running as root: a flaw in a media decoder would affect the whole machine. Start Talkback as a user of its own.`]);
  return warnings;
}

/** Returns the warnings as lines of what the start prints. */
export const formatWarnings = (warnings: readonly Warning[]): string[] =>
  warnings.flatMap(([first, ...rest]) => [``, `  Warning   ${first}`, ...rest.map((line) => `            ${line}`)]);
