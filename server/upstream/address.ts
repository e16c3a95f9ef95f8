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

/** The paths that are forwarded; everything else belongs to the client. */
const FORWARDED_PATHS = /^\/(v1|api\/v2)(\/|$)/;

/** True for a path of the API as it is sent. Dot segments could leave the API at the other service, so no spelling of them is forwarded. */
export function isForwardedPath(url: string): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  if (!FORWARDED_PATHS.test(path)) return false;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return false;
  }
  return !decoded.split(/[/\\]/).some((segment) => segment === "." || segment === "..");
}
