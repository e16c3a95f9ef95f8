/** Parses the address of the service that `--upstream` names, and decides which requests are forwarded to it. */

export interface Upstream {
  /** Address without a trailing slash, which may have a path: `https://service.example/talkback`. */
  baseUrl: string;
  origin: string;
  /** Path that precedes those of the API, without a trailing slash; empty for most services. */
  basePath: string;
}

/** Throws an error whose message completes a sentence that begins with the option's name. */
export function parseUpstream(text: string): Upstream {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error("must be an address that starts with https:// or http://, such as https://service.example");
  if (url.username || url.password) throw new Error("must not contain a name or password: people sign in to the service, or send its token");
  if (url.search || url.hash) throw new Error("must be only scheme, host, port and path, such as https://service.example");
  const basePath = url.pathname.replace(/\/+$/, "");
  return { baseUrl: url.origin + basePath, origin: url.origin, basePath };
}

/** The paths that are forwarded whatever the request; the others belong to the client, unless the request carries the service's token. */
const FORWARDED_PATHS = /^\/(v1|api\/v2)(\/|$)/;

const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? "";

/** True for a path of the API as it is sent. */
export const isForwardedPath = (url: string): boolean => FORWARDED_PATHS.test(pathOf(url)) && staysBelowBase(url);

/** True for a path without dot segments in any spelling, which could leave the base path at the other service. An absolute address is no path. */
export function staysBelowBase(url: string): boolean {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathOf(url));
  } catch {
    return false;
  }
  return decoded.startsWith("/") && !decoded.split(/[/\\]/).some((segment) => segment === "." || segment === "..");
}
