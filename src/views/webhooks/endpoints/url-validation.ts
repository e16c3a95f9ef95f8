/** Validates the form of an endpoint's URL while it is typed. Only the service knows which addresses it allows. */

export type UrlIssue = "scheme" | "credentials" | "fragment" | "tooLong" | "malformed";

export interface UrlPolicy {
  /** Whether http:// is allowed besides https://. */
  isHttpAllowed: boolean;
}

const MAX_LENGTH = 2_048;
const LOCAL_NAME = /(^|\.)(localhost|local|internal)\.?$/i;

/** Returns the URL's issue, or null if it is valid. */
export function findUrlIssue(text: string, policy: UrlPolicy): UrlIssue | null {
  if (text.length > MAX_LENGTH) return "tooLong";
  if (!URL.canParse(text)) return "malformed";
  const url = new URL(text);
  if (url.protocol !== "https:" && !(policy.isHttpAllowed && url.protocol === "http:")) return "scheme";
  if (url.username || url.password) return "credentials";
  return url.hash || text.includes("#") ? "fragment" : null;
}

/** Returns true while the host is still being typed, when no issue should be shown yet. */
export function isIncomplete(text: string): boolean {
  if ("https://".startsWith(text.toLowerCase()) || "http://".startsWith(text.toLowerCase())) return true;
  const host = /^https?:\/\/([^/?#]*)$/i.exec(text)?.[1];
  return host !== undefined && !/[.:\]@]/.test(host) && !LOCAL_NAME.test(host);
}
