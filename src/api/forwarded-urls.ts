/** Where the page's origin forwards requests to a service, the URLs in that service's records lead past it, without its cookies and against the page's policy. */

/** Members whose text is a URL of the service. Texts that people write keep theirs. */
const URL_MEMBER = /^(urls?|\w+_url|thumbnail)$/;
/** Paths that `npm start -- --upstream` forwards. */
const FORWARDED_PATH = /^\/(v1|api\/v2)\//;

/** Returns JSON with the URLs below `upstream` that are forwarded replaced by those of this page's origin. */
export function toForwardedUrls(json: unknown, upstream: string, address: (path: string) => string): unknown {
  /** `isUrl`: the value of a member for URLs; an object there has one in each member, as the `urls` of a signed URL do. */
  const convert = (value: unknown, isUrl: boolean): unknown => {
    if (typeof value === "string") {
      const path = isUrl && value.startsWith(`${upstream}/`) ? value.slice(upstream.length) : "";
      return FORWARDED_PATH.test(path) ? address(path) : value;
    }
    if (Array.isArray(value)) return value.map((element: unknown) => convert(element, isUrl));
    if (typeof value !== "object" || value === null) return value;
    // The URL of a webhook endpoint is a receiver's, wherever that is.
    if ("event_types" in value) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, convert(member, URL_MEMBER.test(name) || (isUrl && typeof member === "string"))]),
    );
  };
  return convert(json, false);
}
