/** Recognizes the URLs of records for which an access token is used. */
import type { Api } from "./http.ts";

export interface ProtectedUrl {
  /** The URL of the record. */
  href: string;
  /** Path below the address of the service; empty for a path outside of it. */
  path: string;
  /** Where the bytes are requested with the token. */
  tokenUrl: string;
}

/** Returns the URL if the token may and must be used for it, else null: no token, another origin, or bytes that this page holds. */
export function parseProtectedUrl(api: Api, url: string): ProtectedUrl | null {
  if (!api.hasToken || url.startsWith("blob:") || !URL.canParse(url, api.address())) return null;
  const { origin, pathname, search, href } = new URL(url, api.address());
  const pathBelow = (base: URL): string => {
    const prefix = base.pathname.replace(/\/$/, "");
    return origin === base.origin && pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : "";
  };
  const base = new URL(api.address());
  if (origin === base.origin) return { href, path: pathBelow(base), tokenUrl: href };
  // This page's origin forwards to the service whatever is requested with the token.
  const forwardedPath = pathBelow(new URL(api.serviceUrl()));
  return forwardedPath === "" ? null : { href, path: "", tokenUrl: api.address(forwardedPath + search) };
}
