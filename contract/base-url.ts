/** The address of a service: its form, and whether requests to it are encrypted. */

/**
 * Returns an address of a service in the form to which paths are appended: without a slash at its end. Throws a `TypeError` unless it is an http(s) URL
 * without user info, query and fragment.
 */
export function toBaseUrl(text: string): string {
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text.trim());
  if (!/^https?:$/.test(protocol) || username || password || search || hash) throw new TypeError("This is no address of a service");
  return origin + pathname.replace(/\/+$/, "");
}

/** Matches host names of this machine, to which also pages on https may send plain http. */
export const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns whether requests to this URL leave the machine unencrypted, which browsers refuse to pages on https. */
export function isUnencryptedUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !LOOPBACK.test(hostname);
}
