/**
 * Finds links in plain text: one rule for what is shown as a link and for what the search calls one. Only http, https and mailto become
 * links; everything else stays text.
 */
import { LinkifyIt } from "linkify-it";
import { mayHaveLinks } from "./may-have-links.ts";

export type Segment = { text: string } | { text: string; href: string; /** The real host where letters of other scripts may imitate one. */ host?: string };

const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, urlAuth: true });
for (const schema of ["ftp:", "//"]) linkify.add(schema, null);
/** Endings that people in this trade write without a scheme; none that is also a file's ending (zip, mov). */
linkify.tlds(["app", "art", "audio", "band", "blog", "cloud", "dev", "example", "fm", "media", "music", "online", "page", "site", "studio"], true);

const ALLOWED_PROTOCOLS = new Set(["http:", "https:", "mailto:"]);
/** Marks that reorder what is read: a link with one of them may show another address than it opens. */
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/** Cuts a text into plain pieces and links, in order; joined, they are the text again. */
export function segmentText(text: string): Segment[] {
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

/** Whether the text shows a link. */
export const hasLink = (text: string): boolean => mayHaveLinks(text) && segmentText(text).some((segment) => "href" in segment);

function resolveLink(raw: string, schema: string): { href: string; host?: string } | null {
  if (BIDI_CONTROLS.test(raw) || (schema === "" && !looksLikeUrl(raw))) return null;
  const lacksScheme = !raw.toLowerCase().startsWith(schema) || schema === "";
  const address = lacksScheme ? `${schema || "https://"}${raw}` : raw;
  const url = URL.canParse(address) ? new URL(address) : null;
  // A name before the host only serves to look like another host.
  if (!url || !ALLOWED_PROTOCOLS.has(url.protocol) || url.username !== "" || url.password !== "") return null;
  const isPunycode = url.protocol !== "mailto:" && url.hostname.split(".").some((label) => label.startsWith("xn--"));
  return isPunycode ? { href: url.href, host: url.hostname } : { href: url.href };
}

/** Without a scheme, file names look like addresses ("notes.md"): a country's ending needs "www." or a path. */
function looksLikeUrl(raw: string): boolean {
  if (raw.includes("@") || raw.includes("/") || raw.toLowerCase().startsWith("www.")) return true;
  const tld = raw.slice(raw.lastIndexOf(".") + 1);
  return tld.length > 2;
}
