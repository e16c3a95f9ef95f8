/**
 * Finds links in plain text: one rule for rendering links and for the search filter. Only http, https and mailto become links; everything else stays
 * text.
 */
import { LinkifyIt } from "linkify-it";

export type Segment =
  | { text: string }
  | { text: string; href: string; /** The real host, set if letters of other scripts may imitate another one. */ host?: string };

const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, urlAuth: true });
for (const schema of ["ftp:", "//"]) linkify.add(schema, null);
/** Top-level domains common in the music trade, recognized without a scheme; none is also a file extension (zip, mov). */
linkify.tlds(["app", "art", "audio", "band", "blog", "cloud", "dev", "example", "fm", "media", "music", "online", "page", "site", "studio"], true);

const ALLOWED_PROTOCOLS = new Set(["http:", "https:", "mailto:"]);
/** Bidirectional controls reorder text: a link with one may show another address than it opens. */
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/** Matches every text with a link and few others, because the search for links takes ten times as long. */
const LINK_HINT = /:\/\/|@|mailto:|\S\.\p{L}{2}/iu;

/** Splits a text into plain segments and links, in order; their joined text equals the input. */
export function segmentText(text: string): Segment[] {
  if (!LINK_HINT.test(text)) return text === "" ? [] : [{ text }];
  const segments: Segment[] = [];
  let end = 0;
  for (const match of linkify.match(text) ?? []) {
    const link = resolveLink(match.raw, match.schema);
    if (!link) continue;
    if (match.index > end) segments.push({ text: text.slice(end, match.index) });
    segments.push({ text: match.raw, ...link });
    end = match.lastIndex;
  }
  if (end < text.length) segments.push({ text: text.slice(end) });
  return segments;
}

/** Returns whether the text contains a link. */
export const hasLink = (text: string): boolean => segmentText(text).some((segment) => "href" in segment);

function resolveLink(raw: string, schema: string): { href: string; host?: string } | null {
  if (BIDI_CONTROLS.test(raw) || (schema === "" && !looksLikeUrl(raw))) return null;
  const lacksScheme = !raw.toLowerCase().startsWith(schema) || schema === "";
  const address = lacksScheme ? `${schema || "https://"}${raw}` : raw;
  const url = URL.canParse(address) ? new URL(address) : null;
  // User info before the host only serves to imitate another host.
  if (!url || !ALLOWED_PROTOCOLS.has(url.protocol) || url.username !== "" || url.password !== "") return null;
  const isPunycode = url.protocol !== "mailto:" && url.hostname.split(".").some((label) => label.startsWith("xn--"));
  return isPunycode ? { href: url.href, host: url.hostname } : { href: url.href };
}

/** File names such as "notes.md" look like addresses: without a scheme, a two-letter domain needs "www." or a path. */
function looksLikeUrl(raw: string): boolean {
  if (raw.includes("@") || raw.includes("/") || raw.toLowerCase().startsWith("www.")) return true;
  const tld = raw.slice(raw.lastIndexOf(".") + 1);
  return tld.length > 2;
}
