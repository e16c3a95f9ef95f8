/** Detects requests from other sites by `Sec-Fetch-Site`, or by `Origin` if that header is missing. */
import type { IncomingHttpHeaders } from "node:http";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

function isOwnOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { origin, host } = headers;
  if (origin === publicUrl) return true;
  // Accepts every loopback name of this machine; a foreign name that resolves here (DNS rebinding) is not one.
  return origin !== undefined && host !== undefined && LOOPBACK.test(host) && origin === `http://${host}` && publicUrl.startsWith("http:");
}

/** For writes authorized by a cookie: only our own page may send them. */
export function isSameOriginRequest(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  return site === undefined ? isOwnOrigin(headers, publicUrl) : site === "same-origin";
}

/** For writes without authorization, such as signing in: allows programs, but not pages of other sites. */
export function isNotCrossSiteRequest(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (headers["sec-fetch-site"] === undefined && headers.origin === undefined) return true;
  return isSameOriginRequest(headers, publicUrl);
}

/** WebSocket requests do not carry `Sec-Fetch-Site` in every browser, but always carry `Origin`. */
export const isSameOriginSocket = (headers: IncomingHttpHeaders, publicUrl: string): boolean => isOwnOrigin(headers, publicUrl);
