/** Sends user files, with ranges and ETags. Only an allowlist of types is shown inline, so that nothing in a file can execute. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { notFound } from "../lib/errors.ts";
import type { ByteRange, Storage } from "../storage/storage.ts";

export interface Content {
  key: string;
  mediaType: string;
  fileName: string;
}

interface SendOptions {
  /** Saves the bytes instead of showing them. */
  download?: boolean;
  /** Seconds for which a browser uses the bytes without asking again. */
  maxAge?: number | undefined;
}

/** All other types are downloaded: HTML and SVG can carry scripts, and playlists make players call other hosts. */
const INLINE_MEDIA_TYPES = new Set([
  ...["aac", "aiff", "flac", "mp4", "mpeg", "ogg", "opus", "wav", "webm", "x-aiff", "x-flac", "x-m4a", "x-wav"].map((type) => `audio/${type}`),
  ...["mp4", "ogg", "quicktime", "webm"].map((type) => `video/${type}`),
  ...["avif", "gif", "jpeg", "png", "webp"].map((type) => `image/${type}`),
]);

export async function sendBytes(
  storage: Storage,
  content: Content,
  request: FastifyRequest,
  reply: FastifyReply,
  { download = false, maxAge }: SendOptions = {},
): Promise<FastifyReply> {
  const etag = `"${content.key}"`;
  const isInline = INLINE_MEDIA_TYPES.has(content.mediaType) && !download;
  const contentType = INLINE_MEDIA_TYPES.has(content.mediaType) ? content.mediaType : "application/octet-stream";
  const disposition = contentDisposition(isInline ? "inline" : "attachment", content.fileName);
  if (maxAge === undefined && mayRedirect(storage, request)) {
    const signed = { contentType, contentDisposition: disposition, cacheControl: "private" };
    const url = await storage.signUrl(content.key, signed);
    // Each request asks for the authorization again.
    if (url !== null) return reply.header("Cache-Control", "no-store").redirect(url, 302);
  }
  const size = await storage.size(content.key);
  if (size === null) throw notFound("file");
  reply
    .header("ETag", etag)
    .header("Accept-Ranges", "bytes")
    // A blob never changes, but the permission to see it may, so the client must revalidate and receives a 304.
    .header("Cache-Control", maxAge === undefined ? "private, no-cache" : `private, max-age=${maxAge}`)
    .header("Content-Security-Policy", "sandbox; default-src 'none'")
    .header("Content-Disposition", disposition);
  if (matchesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();

  const conditional = request.headers["if-range"];
  const range = conditional === undefined || conditional === etag ? parseRange(request.headers.range, size) : null;
  if (range === "unsatisfiable") return reply.code(416).header("Content-Range", `bytes */${size}`).send();
  reply.type(contentType);
  if (range) reply.code(206).header("Content-Range", `bytes ${range.start}-${range.end}/${size}`);
  reply.header("Content-Length", String(range ? range.end - range.start + 1 : size));
  // Fastify sets Content-Length from the body even for HEAD, unless the body is a stream.
  if (request.method === "HEAD") return reply.send(Readable.from([]));
  if (size === 0) return reply.send("");
  return reply.send(await storage.open(content.key, range ?? undefined));
}

const MEDIA_DESTINATIONS: ReadonlySet<unknown> = new Set(["audio", "video", "image"]);

/**
 * Returns whether the browser can read the bytes straight from the store: as media of our own page, whose policy allows the store, or as a download.
 * Scripts could not without CORS rules of the bucket, and programs may not expect a redirect.
 */
function mayRedirect({ browserOrigin }: Storage, { method, headers }: FastifyRequest): boolean {
  const [destination, mode, site] = [headers["sec-fetch-dest"], headers["sec-fetch-mode"], headers["sec-fetch-site"]];
  if (browserOrigin === null || method !== "GET" || headers.authorization !== undefined) return false;
  return mode === "navigate" ? destination === "document" : mode === "no-cors" && site === "same-origin" && MEDIA_DESTINATIONS.has(destination);
}

/** Matches `If-None-Match` (RFC 9110, 13.1.2): a list of tags, compared weakly. */
const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && header.split(",").some((candidate) => candidate.trim() === "*" || candidate.trim().replace(/^W\//, "") === etag);

/** Parses a single byte range (RFC 9110, 14.1.2); null: send everything. Multiple ranges return the whole content, which the RFC allows. */
export function parseRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first === "") {
    const count = Math.min(Number(last), size);
    return count === 0 ? "unsatisfiable" : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= size ? "unsatisfiable" : { start, end };
}

/** Builds a `Content-Disposition` value (RFC 6266): an ASCII file name for old clients and the real one in UTF-8. */
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
