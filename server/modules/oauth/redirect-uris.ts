/** The addresses that an authorization may redirect to: https anywhere, http only to the person's own computer (RFC 8252). */

const MAX_CHARACTERS = 2_000;
/** Of a name in the DNS. */
const MAX_HOST_CHARACTERS = 253;
/** What the address of a page can be written with; excludes backslashes, quotes and everything that a browser would rewrite. */
const ADDRESS = /^[a-z]+:\/\/[\w.~:/?[\]@!$&'()*+,;=%-]+$/;
/** Excludes what the URL standard allows in a host and a Content-Security-Policy would read as the end of a directive. */
const HOST = /^[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/;
/** RFC 8252 8.3 advises against `localhost`, but many programs register nothing else. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/;

/** Returns why a client cannot register this redirect address, or null. */
export function findRedirectIssue(uri: string): string | null {
  if (uri.length > MAX_CHARACTERS) return `has more than ${MAX_CHARACTERS} characters`;
  if (uri.includes("#")) return "must not have a fragment";
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(uri))
    return "has a scheme of its own, which is not accepted. Use https://, or http://127.0.0.1 with any port for a program on the person's computer";
  if (!ADDRESS.test(uri) || !URL.canParse(uri)) return "is not a valid address";
  const url = new URL(uri);
  if (url.username !== "" || url.password !== "" || uri.slice(0, uri.indexOf("/", 8) + 1).includes("@")) return "must not have a username or password";
  if (!HOST.test(url.hostname) || url.hostname.length > MAX_HOST_CHARACTERS) return "is not a valid address";
  if (url.protocol === "https:" || LOOPBACK.test(uri)) return null;
  return "must begin with https://, http://127.0.0.1, http://[::1] or http://localhost";
}

/** Returns whether the requested address is the registered one. On loopback the port may differ, because a program takes one that is free. */
export function matchesRedirect(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  const [, origin, rest] = LOOPBACK.exec(registered) ?? [];
  const [, requestedOrigin, requestedRest] = LOOPBACK.exec(requested) ?? [];
  return origin !== undefined && origin === requestedOrigin && rest === requestedRest && URL.canParse(requested);
}

export const isLocalRedirect = (uri: string): boolean => LOOPBACK.test(uri);
export const redirectHost = (uri: string): string => new URL(uri).host;

/**
 * Returns the sources of a Content-Security-Policy with which a form's response may redirect here, and from here on: many callbacks lead to another host of the
 * client, or to a program on the person's computer. IPv6 addresses cannot be written in one.
 */
export const consentFormSources = (uri: string): string =>
  new URL(uri).hostname.startsWith("[") ? "https: http:" : "https: http://127.0.0.1:* http://localhost:*";

/** Adds parameters to a redirect address, whose own query stays as it is (RFC 6749, 4.1.2). */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}
