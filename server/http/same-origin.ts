/** Requests from other sites: told apart by `Sec-Fetch-Site`, else by `Origin`. */
import type { IncomingHttpHeaders } from "node:http";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

function isOwnOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (origin === publicUrl) return true;
  // One machine has several names; a foreign name that points here (DNS rebinding) is none of them.
  return origin !== undefined && host !== undefined && LOOPBACK.test(host) && origin === `http://${host}` && publicUrl.startsWith("http:");
}

/** For writes that a cookie authorizes: only our own page may cause them. */
export function isSameOriginRequest(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  return site === undefined ? isOwnOrigin(headers, publicUrl) : site === "same-origin";
}

/** For writes without any authorization, such as signing in: programs may, other sites' pages may not. */
export function isNotCrossSiteRequest(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (headers["sec-fetch-site"] === undefined && headers.origin === undefined) return true;
  return isSameOriginRequest(headers, publicUrl);
}

/** WebSockets send no `Sec-Fetch-Site` everywhere, but always an `Origin`. */
export const isSameOriginSocket = (headers: IncomingHttpHeaders, publicUrl: string): boolean => isOwnOrigin(headers, publicUrl);
