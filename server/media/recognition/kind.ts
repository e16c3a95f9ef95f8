/** Names the kinds of files, and the containers that FFmpeg reports under one name. */

export type MediaKind = "audio" | "video" | "image" | "document";

/**
 * Distinguishes containers that FFmpeg reports under one name: returns `mp4`, `mov`, `webm`, `matroska`, or the first of FFmpeg's names. `engineName` may
 * be a comma-separated list.
 */
export function containerType(engineName: string, head: Buffer): string {
  if (engineName.includes("mp4")) return isMp4(head) ? "mp4" : "mov";
  if (engineName.includes("webm")) return isWebm(head) ? "webm" : "matroska";
  return engineName.split(",")[0]!;
}

/** ISO 14496-12, 4.3: the brand follows the type of the first box. A QuickTime file has its own brand or none. */
const isMp4 = (head: Buffer): boolean => head.toString("latin1", 4, 8) === "ftyp" && head.toString("latin1", 8, 12) !== "qt  ";
/** RFC 8794, 11.2.6: the DocType is in the header, within its first bytes. */
const isWebm = (head: Buffer): boolean => head.subarray(0, 64).includes("webm", 0, "latin1");
