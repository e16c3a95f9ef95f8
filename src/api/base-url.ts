/**
 * Returns an address of a service in the form to which paths are appended: without a slash at its end. Throws a `TypeError` unless it is an http(s) URL
 * without user info, query and fragment.
 */
export function toBaseUrl(text: string): string {
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text.trim());
  if (!/^https?:$/.test(protocol) || username || password || search || hash) throw new TypeError("This is no address of a service");
  return origin + pathname.replace(/\/+$/, "");
}
