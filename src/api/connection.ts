/** Decides which service the client uses and with which access token: what the person chose, the page's `config.json`, or the build. */
import { addServiceOrigin, parseServiceOrigins, serviceOriginsCookie } from "../../contract/service-origins.ts";
import { getPersisted, isPersisted, setPersisted } from "../lib/local-storage.ts";
import { parseJson } from "../lib/parse-json.ts";
import { getTabValue, setTabValue } from "../lib/tab-storage.ts";
import { needsDocument, sanitizeNextPath } from "../lib/sign-in.ts";
import { mixedContentError, toApiError } from "./api-error.ts";
import { isUnencryptedUrl, toBaseUrl } from "../../contract/base-url.ts";
import type { ApiOptions } from "./http.ts";
import { sendRequest } from "./send-request.ts";

export interface Connection {
  /** Address without a trailing slash; "" is the origin of this page. */
  baseUrl: string;
  /** Address of the service to which this page's origin forwards, if `baseUrl` is "": a token for it must not reach another one behind the same page. */
  upstream?: string;
  /** Absent for a service on this page's origin with sessions, and for one that needs no token. */
  token?: string;
}

/** The connection in effect. */
export interface LoadedConnection extends ApiOptions {
  /** True if the person chose the service for this tab only. */
  isForTab?: boolean;
}

/** Name in session and local storage. */
const STORED_NAME = "connection";
/** Read by every page without a choice; `index.html` preloads it. */
const CONFIG_PATH = "/config.json";
const TIMEOUT_MS = 15_000;
/** Links of the page's own service, whose tokens must reach no other service. */
const OWN_LINKS = /^\/(authorize|invite|reset|setup)\/?$/i;
/** The longest that browsers keep a cookie. */
const COOKIE_SECONDS = 400 * 86_400;

/** Returns the base URL that an address stands for; the page's own origin becomes "". Throws a `TypeError` if it is none. */
export function parseBaseUrl(text: string): string {
  const baseUrl = toBaseUrl(text);
  return baseUrl === location.origin ? "" : baseUrl;
}

/** Returns what the person chose for this tab, else on this device; null if nothing valid is stored. */
export function getChosenConnection(): (Connection & { isOnDevice: boolean }) | null {
  const ofTab = parseConnection(getTabValue(STORED_NAME));
  const ofDevice = ofTab ? null : parseConnection(getPersisted(STORED_NAME));
  const chosen = ofTab ?? ofDevice;
  return chosen && { ...chosen, isOnDevice: ofTab === null };
}

/**
 * Stores what the person chose, until this tab closes or on this device, where a choice for the tab no longer overrides it. Returns false if the browser
 * does not store it there; nothing has changed then.
 */
export function setChosenConnection(connection: Connection, isOnDevice: boolean): boolean {
  const text = JSON.stringify(connection);
  const ofDevice = getPersisted(STORED_NAME);
  if (isOnDevice) {
    setPersisted(STORED_NAME, text);
    const isStored = isPersisted(STORED_NAME);
    if (isStored) setTabValue(STORED_NAME, null);
    else setPersisted(STORED_NAME, ofDevice);
    return isStored;
  }
  setTabValue(STORED_NAME, text);
  if (getTabValue(STORED_NAME) !== text) return false;
  const stored = parseConnection(ofDevice);
  if (stored && isSameService(stored, connection)) setPersisted(STORED_NAME, null);
  return true;
}

const isSameService = (a: Connection, b: Connection): boolean => a.baseUrl === b.baseUrl && (a.upstream ?? "") === (b.upstream ?? "");

/** Forgets the choice that is in effect, with its token: the tab's, which another choice for the device may follow, else the device's. */
export function clearChosenConnection(): void {
  const chosen = getChosenConnection();
  if (!chosen) return;
  if (chosen.isOnDevice) setPersisted(STORED_NAME, null);
  else setTabValue(STORED_NAME, null);
  const next = getChosenConnection();
  if (!chosen.baseUrl || next?.baseUrl === chosen.baseUrl) return;
  const { origin } = new URL(chosen.baseUrl);
  writeOrigins(
    parseServiceOrigins(readOrigins())
      .filter((other) => other !== origin)
      .join("|"),
    next !== null,
  );
}

/** Returns the address of the service to which this page's origin forwards; "" if there is none. */
export async function loadUpstream(): Promise<string> {
  const [, text] = await sendRequest(CONFIG_PATH, (received) => received.text(), TIMEOUT_MS, {});
  return tryParse((parseJson(text) as { upstream?: unknown } | null | undefined)?.upstream);
}

/**
 * Returns the chosen connection, else the one of `config.json` or the build. Pages that are only for the service of their origin always get that service.
 * Throws `ApiError` if `config.json` cannot be requested, or if the browser would refuse every request to the service.
 */
export async function loadConnection(): Promise<LoadedConnection> {
  const options = await findConnection();
  if (location.protocol === "https:" && options.baseUrl && isUnencryptedUrl(options.baseUrl)) throw mixedContentError();
  return options;
}

async function findConnection(): Promise<LoadedConnection> {
  const isOnlyOwn = isOnlyForOwnService();
  const chosen = isOnlyOwn ? null : getChosenConnection();
  const loading = sendRequest(CONFIG_PATH, (received) => received.text(), TIMEOUT_MS, {});
  if (chosen?.baseUrl) {
    // Without a use of the preloaded file, browsers warn.
    loading.catch(() => undefined);
    return { baseUrl: chosen.baseUrl, token: chosen.token, isForTab: !chosen.isOnDevice };
  }
  const [response, text] = await loading;
  if (response.status >= 500 || response.status === 429) throw toApiError(response, text);
  // A server without this file may respond with an error, or with the page.
  const { service_url: configured, upstream } = (parseJson(text) ?? {}) as { service_url?: unknown; upstream?: unknown };
  const behind = tryParse(upstream);
  if (chosen && (chosen.upstream ?? "") === behind) return { baseUrl: "", token: chosen.token, upstream: behind, isForTab: !chosen.isOnDevice };
  return { baseUrl: behind || isOnlyOwn ? "" : tryParse(configured) || tryParse(import.meta.env["VITE_SERVICE_URL"]), upstream: behind };
}

/** Returns whether this page is for the service of its origin alone, or the sign-in on the way to the consent of an app, which must survive a reload. */
const isOnlyForOwnService = (): boolean =>
  OWN_LINKS.test(location.pathname) || (location.pathname === "/sign-in" && needsDocument(sanitizeNextPath(new URLSearchParams(location.search).get("next"))));

/**
 * Names a service's origin in the cookie from which the page's own service makes the content security policy. Returns true if the page must be loaded again
 * to get that policy.
 */
export function allowOrigin(baseUrl: string, isOnDevice: boolean): boolean {
  if (baseUrl === "") return false;
  const { origin } = new URL(baseUrl);
  const before = readOrigins();
  const isMissing = !parseServiceOrigins(before).includes(origin);
  writeOrigins(addServiceOrigin(before, origin), isOnDevice);
  // A browser that forbids cookies would load the page again and again.
  return isMissing && parseServiceOrigins(readOrigins()).includes(origin);
}

const readOrigins = (): string => {
  const prefix = `${serviceOriginsCookie(location.protocol === "https:")}=`;
  return (
    document.cookie
      .split("; ")
      .find((pair) => pair.startsWith(prefix))
      ?.slice(prefix.length) ?? ""
  );
};

function writeOrigins(value: string, isOnDevice: boolean): void {
  const isHttps = location.protocol === "https:";
  const age = value === "" ? "; Max-Age=0" : isOnDevice ? `; Max-Age=${COOKIE_SECONDS}` : "";
  document.cookie = `${serviceOriginsCookie(isHttps)}=${value}; Path=/; SameSite=Strict${isHttps ? "; Secure" : ""}${age}`;
}

function tryParse(address: unknown): string {
  try {
    return typeof address === "string" && address !== "" ? parseBaseUrl(address) : "";
  } catch {
    return "";
  }
}

function parseConnection(text: string | null): Connection | null {
  const stored = (text === null ? null : parseJson(text)) as Partial<Record<keyof Connection, unknown>> | null | undefined;
  if (typeof stored?.baseUrl !== "string" || (stored.baseUrl !== "" && tryParse(stored.baseUrl) !== stored.baseUrl)) return null;
  return {
    baseUrl: stored.baseUrl,
    ...(typeof stored.token === "string" ? { token: stored.token } : {}),
    ...(typeof stored.upstream === "string" ? { upstream: stored.upstream } : {}),
  };
}
