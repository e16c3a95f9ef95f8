/** Detects the type of a file from its first bytes, ignoring its name and the type declared by the client. */

export type MediaKind = "audio" | "video" | "image" | "document";

export interface SniffResult {
  /** `media` leaves the decision between audio and video to the engine. */
  kind: "media" | "image" | "document";
  /** Short name of the content type, such as `png`, `pdf`, `text`, `playlist`, `riff`. */
  type: string;
}

export const SNIFF_BYTES = 4_096;

const IMAGE_BRANDS = /^(avif|avis|heic|heix|heim|heis|hevc|mif1|msf1)$/;

const PLAYLIST =
  /^\s*(#EXTM3U|\[playlist\]|ffconcat version|v=0\r?\n|<\?xml[^]{0,200}?<(MPD|smil|asx|playlist|SmoothStreamingMedia)\b|<(MPD|smil|asx)\b|\[Reference\]|file\s+'[^'\n]+')/i;
const MARKUP: [RegExp, string][] = [
  [/<svg[\s>]/i, "svg"],
  [/<!doctype html|<html[\s>]|<script[\s>]|<body[\s>]/i, "html"],
  [/^\s*<\?xml/i, "xml"],
];

const BINARY_DOCUMENTS: [RegExp, string][] = [
  [/^%PDF-/, "pdf"],
  [/^PK(\x03\x04|\x05\x06)/, "zip"],
  [/^\{\\rtf/, "rtf"],
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, "office"],
  [/^\x1f\x8b/, "gzip"],
  [/^Rar!\x1a\x07/, "rar"],
  [/^7z\xbc\xaf\x27\x1c/, "7z"],
  [/^MThd/, "midi"],
  [/^8BPS/, "psd"],
  [/^(\x7fELF|MZ|#!)/, "program"],
];

/** Signatures of containers that the engine may open. MPEG audio and transport streams have no signature and are detected separately. */
const MEDIA: [RegExp, string][] = [
  [/^(RIFF|RF64|RIFX|BW64)....WAVE/s, "wave"],
  [/^riff\x2e\x91\xcf\x11/, "wave64"],
  [/^RIFF....AVI /s, "avi"],
  [/^FORM....AIF[FC]/s, "aiff"],
  [/^FORM....8SVX/s, "iff"],
  [/^caff/, "caf"],
  [/^(\.snd|dns\.)/, "au"],
  [/^Creative Voice File/, "voc"],
  [/^fLaC/, "flac"],
  [/^OggS/, "ogg"],
  [/^ID3[\x02-\x04]/, "id3"],
  [/^\x1a\x45\xdf\xa3/, "matroska"],
  [/^....(ftyp|moov|mdat|wide|free|skip|pnot)/s, "mp4"],
  [/^MAC /, "ape"],
  [/^wvpk/, "wavpack"],
  [/^TTA[12]/, "tta"],
  [/^tBaK/, "tak"],
  [/^(MPCK|MP\+)/, "musepack"],
  [/^#!AMR/, "amr"],
  [/^DSD /, "dsf"],
  [/^ajkg/, "shorten"],
  [/^\x30\x26\xb2\x75\x8e\x66\xcf\x11/, "asf"],
  [/^FLV\x01/, "flv"],
  [/^\.RMF/, "realmedia"],
  [/^\0\0\x01[\xb3\xba]/, "mpeg"],
  [/^\x06\x0e\x2b\x34\x02\x05\x01\x01/, "mxf"],
  [/^\x0b\x77/, "ac3"],
  [/^\x7f\xfe\x80\x01/, "dts"],
];

/** `bytes` are the file's first `SNIFF_BYTES`, or all of it if shorter. */
export function sniff(bytes: Uint8Array): SniffResult {
  const imageType = sniffImage(bytes);
  if (imageType) return { kind: "image", type: imageType };
  const head = ascii(bytes, 0, SNIFF_BYTES);
  const isAmr = head.startsWith("#!AMR");
  for (const [pattern, type] of BINARY_DOCUMENTS) if (!isAmr && pattern.test(head)) return { kind: "document", type };
  for (const [pattern, type] of MEDIA) if (pattern.test(head)) return { kind: "media", type };
  if (isMpegFrame(bytes) && !startsWithBytes(bytes, 0xff, 0xfe)) return { kind: "media", type: "mpeg-audio" };
  if (isTransportStream(bytes)) return { kind: "media", type: "mpeg-ts" };
  if (looksLikeText(bytes)) {
    const text = head.replace(/^(\xef\xbb\xbf)/, "");
    if (PLAYLIST.test(text)) return { kind: "document", type: "playlist" };
    const markup = MARKUP.find(([pattern]) => pattern.test(text));
    return { kind: "document", type: markup?.[1] ?? "text" };
  }
  return { kind: "document", type: "unknown" };
}

function sniffImage(bytes: Uint8Array): string | null {
  if (startsWithBytes(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "png";
  if (startsWithBytes(bytes, 0xff, 0xd8, 0xff)) return "jpeg";
  const head = ascii(bytes, 0, 16);
  if (/^GIF8[79]a/.test(head)) return "gif";
  if (/^RIFF....WEBP/s.test(head)) return "webp";
  if (/^(II\*\0|MM\0\*|II\+\0|MM\0\+)/.test(head)) return "tiff";
  if (head.startsWith("BM") && bytes.length > 18 && bytes[14] !== undefined && [12, 40, 52, 56, 64, 108, 124].includes(bytes[14])) return "bmp";
  if (head.slice(4, 8) === "ftyp" && IMAGE_BRANDS.test(head.slice(8, 12))) return head.slice(8, 12).startsWith("avi") ? "avif" : "heif";
  if (startsWithBytes(bytes, 0xff, 0x0a) || head.startsWith("\0\0\0\fJXL ")) return "jxl";
  return null;
}

/** True for MPEG audio (valid layer and rate fields) or ADTS. A raw stream must start with a frame. */
function isMpegFrame(bytes: Uint8Array): boolean {
  const [a = 0, b = 0, c = 0] = bytes;
  if (a !== 0xff || (b & 0xe0) !== 0xe0) return false;
  const adts = (b & 0xf6) === 0xf0;
  const layer = (b >> 1) & 3;
  return adts || (((b >> 3) & 3) !== 1 && layer !== 0 && c >> 4 !== 15 && ((c >> 2) & 3) !== 3);
}

const isTransportStream = (bytes: Uint8Array): boolean => bytes.length >= 377 && bytes[0] === 0x47 && bytes[188] === 0x47 && bytes[376] === 0x47;

/** True for UTF-16 with a byte order mark, and for UTF-8 and 8-bit text without control characters other than white space and ESC. */
function looksLikeText(bytes: Uint8Array): boolean {
  if (startsWithBytes(bytes, 0xff, 0xfe) || startsWithBytes(bytes, 0xfe, 0xff)) return true;
  return bytes.every((value) => value >= 0x20 || value === 0x09 || value === 0x0a || value === 0x0d || value === 0x0c || value === 0x1b);
}

const startsWithBytes = (bytes: Uint8Array, ...magic: number[]): boolean => magic.every((value, index) => bytes[index] === value);

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1", from, to);

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
