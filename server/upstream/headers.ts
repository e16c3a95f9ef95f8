/** Translates headers between the browser, which sees one origin, and the other service, which must not learn anything about ours. */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isForwardedPath, type Upstream } from "./address.ts";

/** Headers of one connection, which are never forwarded (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
/** Node responds to `expect` itself and sends the host of the other service. The others would disclose our network and our pages to it. */
const WITHHELD_FROM_UPSTREAM = ["expect", "host", "cookie", "referer", "forwarded", "x-real-ip"];
const FORWARDED_HEADERS = /^x-forwarded-/;
/** Headers that change how the browser treats this server's own origin. */
const WITHHELD_FROM_BROWSER = [
  "alt-svc",
  "clear-site-data",
  "nel",
  "public-key-pins",
  "report-to",
  "reporting-endpoints",
  "service-worker-allowed",
  "strict-transport-security",
];

/** A response of the other service never runs as a page of our origin. A policy of its own applies too. */
const RESPONSE_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

export interface HeaderTranslation {
  /** Returns the headers of a request to the other service. */
  toUpstream(headers: IncomingHttpHeaders, method: string): Record<string, string | string[]>;
  /** Returns the headers of a response to the browser, as pairs. */
  toBrowser(rawHeaders: readonly string[]): [string, string][];
}

interface TranslationOptions {
  upstream: Upstream;
  /** Where people open the client. */
  publicUrl: string;
  /** True if the headers come from a page of the client itself. */
  isFromOurPage(headers: IncomingHttpHeaders): boolean;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export function createHeaderTranslation({ upstream, publicUrl, isFromOurPage }: TranslationOptions): HeaderTranslation {
  const isHttps = publicUrl.startsWith("https:");
  // Cookies do not depend on the port, so another Talkback of this host may have one of the same name, and the next --upstream may be another service.
  const cookiePrefix = `${isHttps ? "__Host-" : ""}upstream-${createHash("sha256").update(upstream.baseUrl).digest("hex").slice(0, 12)}-`;

  /** Returns the cookies that the other service has set, with its own names. */
  function upstreamCookies(header: string | undefined): string {
    const cookies = (header ?? "").split(";").map((pair) => pair.trim());
    return cookies
      .filter((pair) => pair.startsWith(cookiePrefix))
      .map((pair) => pair.slice(cookiePrefix.length))
      .join("; ");
  }

  /** Renames a cookie and limits it to this host. Its path is lost, because the prefix `__Host-` requires "/". */
  function toOwnCookie(header: string): string {
    const [pair = "", ...attributes] = header.split(";").map((part) => part.trim());
    const kept = attributes.filter((attribute) => /^(expires|max-age)=/i.test(attribute));
    const sameSite = attributes.some((attribute) => /^samesite=strict$/i.test(attribute)) ? "Strict" : "Lax";
    return [cookiePrefix + pair, ...kept, "Path=/", "HttpOnly", `SameSite=${sameSite}`, ...(isHttps ? ["Secure"] : [])].join("; ");
  }

  /** Returns the path here of an address that is forwarded, so that the browser stays with us, and other addresses in full. */
  function toOwnLocation(location: string): string {
    // A location relative to the request's path is the same here.
    if ((!location.startsWith("/") && !URL.canParse(location)) || !URL.canParse(location, upstream.origin)) return location;
    const { href } = new URL(location, upstream.origin);
    const path = href.slice(upstream.baseUrl.length);
    return href.startsWith(`${upstream.baseUrl}/`) && isForwardedPath(path) ? path : href;
  }

  return {
    toUpstream(headers, method) {
      const withheld = new Set([...HOP_BY_HOP, ...WITHHELD_FROM_UPSTREAM, ...namesInConnection(headers.connection)]);
      const result: Record<string, string | string[]> = {};
      for (const [name, value] of Object.entries(headers)) {
        if (value !== undefined && !withheld.has(name) && !FORWARDED_HEADERS.test(name)) result[name] = value;
      }
      const isOurs = isFromOurPage(headers);
      // The other service's own protection sees its own origin, so requests of other pages must not carry its cookies.
      const isProgram = headers.origin === undefined && headers["sec-fetch-site"] === undefined;
      const cookie = isOurs || isProgram || (SAFE_METHODS.has(method) && headers.upgrade === undefined) ? upstreamCookies(headers.cookie) : "";
      if (cookie !== "") result["cookie"] = cookie;
      if (isOurs && headers.origin !== undefined) result["origin"] = upstream.origin;
      // Node frames a body only if one of them is set; a request without a body must not become a chunked one.
      if (headers["transfer-encoding"] !== undefined) result["transfer-encoding"] = "chunked";
      else if (headers["content-length"] === undefined && !SAFE_METHODS.has(method)) result["content-length"] = "0";
      return result;
    },
    toBrowser(rawHeaders) {
      const pairs: [string, string][] = [];
      for (let index = 0; index < rawHeaders.length; index += 2) pairs.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
      const connection = pairs.filter(([name]) => name.toLowerCase() === "connection").map(([, value]) => value);
      const withheld = new Set([...HOP_BY_HOP, ...WITHHELD_FROM_BROWSER, ...namesInConnection(connection.join())]);
      const translated = pairs
        .filter(([name]) => !withheld.has(name.toLowerCase()))
        .map(([name, value]): [string, string] => {
          if (name.toLowerCase() === "set-cookie") return [name, toOwnCookie(value)];
          return name.toLowerCase() === "location" ? [name, toOwnLocation(value)] : [name, value];
        });
      return [...translated, ["Content-Security-Policy", RESPONSE_POLICY], ["X-Content-Type-Options", "nosniff"]];
    },
  };
}

const namesInConnection = (value: string | undefined): string[] =>
  (value ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
