/** Lets the page use other services than its own: adapts its content security policy to what the operator and this browser have chosen. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { isServiceOrigin, parseServiceOrigins, serviceOriginsCookie } from "../../contract/service-origins.ts";

/** `config.json` of the client: which service it uses. */
export interface ClientSettings {
  /** Address of another service; "" for the one of the page's origin. */
  service_url: string;
  /** Address of the service to which the page's origin forwards requests. */
  upstream?: string;
}

const POLICY = "content-security-policy";
/** The screen on which people connect to a service tries an address before the page may use it everywhere. */
const CONNECT_PATTERN = /^\/connect\/?$/i;
const LOOPBACK = ["http://127.0.0.1:*", "http://localhost:*"];

/** Returns the settings in the text of a `config.json`; a client without a valid one uses the service of its page. */
export function parseClientSettings(text: string): ClientSettings {
  try {
    const { service_url } = JSON.parse(text) as Partial<ClientSettings>;
    return { service_url: typeof service_url === "string" ? service_url : "" };
  } catch {
    return { service_url: "" };
  }
}

/** Adds to the policy of a page what it may connect to and show besides its own origin. `path`: of the page, decoded. */
export function allowServices(
  { headers, raw }: FastifyRequest,
  reply: FastifyReply,
  path: string,
  { service_url, upstream = "" }: ClientSettings,
  isHttps: boolean,
): void {
  const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : "");
  const configured = originOf(service_url);
  const chosen = parseServiceOrigins(readCookie(headers.cookie ?? "", serviceOriginsCookie(isHttps)));
  const origins = [...new Set([configured, ...chosen])].filter(isServiceOrigin);
  // A page on plain http may use services on plain http too; browsers refuse them to a page on https, except on this machine.
  const tried = CONNECT_PATTERN.test(path) ? ["https:", ...(isHttps ? LOOPBACK : ["http:"])] : [];
  // Another service may have its media on any host, and those of a service behind this one may have paths that are not forwarded. They run no code.
  const usesOther = origins.length > 0 || isServiceOrigin(originOf(upstream));
  const media = usesOther ? ["https:", ...(isHttps ? origins.filter((origin) => origin.startsWith("http:")) : ["http:"])] : [];
  const sources = {
    "connect-src": [...tried, ...origins, ...origins.map((origin) => origin.replace(/^http/, "ws"))],
    "img-src": media,
    "media-src": media,
  };
  let policy = String(reply.raw.getHeader(POLICY) ?? "");
  for (const [name, added] of Object.entries(sources)) policy = policy.replace(`${name} 'self'`, [name, "'self'", ...added].join(" "));
  reply.raw.setHeader(POLICY, policy);
  // A cached page must not bring back the policy of an earlier choice.
  if (raw.method === "GET") void reply.header("Vary", [reply.getHeader("Vary"), "Cookie"].flat().filter(Boolean).join(", "));
}

/** Returns a cookie's value, or "". */
const readCookie = (header: string, name: string): string =>
  header
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? "";
