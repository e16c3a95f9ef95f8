/** Detects the type of content from its first bytes, ignoring the file's name and the type declared by the client. */

export interface ContentType {
  /** `media` leaves the decision between audio and video to whoever reads the streams. */
  kind: "media" | "image" | "document";
  /** Short name of the content type, such as `png`, `pdf`, `text`, `playlist`, `wave`. */
  type: string;
  /** FFmpeg's demuxer for media. Null for all other content, and for media that the engine cannot read. */
  demuxer: string | null;
}

const IMAGE_BRANDS = /^(avif|avis|heic|heix|heim|heis|hevc|mif1|msf1)$/;

const PLAYLIST =
  /^\s*(#EXTM3U|\[playlist\]|ffconcat version|v=0\r?\n|<\?xml[^]{0,200}?<(MPD|smil|asx|playlist|SmoothStreamingMedia)\b|<(MPD|smil|asx)\b|\[Reference\]|file\s+'[^'\n]+')/i;
const TEXT_TYPES: [RegExp, string][] = [
  [PLAYLIST, "playlist"],
  [/^%PDF-/, "pdf"],
  [/^\{\\rtf/, "rtf"],
  [/^#!/, "program"],
  [/<svg[\s>]/i, "svg"],
  [/<!doctype html|<html[\s>]|<script[\s>]|<body[\s>]/i, "html"],
  [/^\s*<\?xml/i, "xml"],
];

/** Documents and archives, among them those that may hold sounds of others. */
const DOCUMENTS: [RegExp, string][] = [
  [/^%PDF-/, "pdf"],
  [/^PK(\x03\x04|\x05\x06)/, "zip"],
  [/^\{\\rtf/, "rtf"],
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, "office"],
  [/^\x1f\x8b/, "gzip"],
  [/^(BZh[1-9]|\xfd7zXZ\0|\x28\xb5\x2f\xfd)/, "compressed"],
  [/^Rar!\x1a\x07/, "rar"],
  [/^7z\xbc\xaf\x27\x1c/, "7z"],
  [/^[^]{257}ustar/, "tar"],
  [/^SQLite format 3\0/, "sqlite"],
  [/^!<arch>\n/, "program"],
  [/^[FCZ]WS[\x03-\x30]/, "flash"],
  [/^MThd/, "midi"],
  [/^8BPS/, "psd"],
  [/^(\x7fELF|MZ|#!(?!AMR)|\0asm|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe)/, "program"],
];

/** Containers with a signature, and the demuxer that reads each. They hold their own samples: playlists, which refer to other files, are not among them. */
const MEDIA: [pattern: RegExp, type: string, demuxer: string | null][] = [
  [/^(RIFF|RF64|BW64)....WAVE/s, "wave", "wav"],
  // FFmpeg takes 16-bit samples of this format for little-endian ones and plays noise.
  [/^RIFX....WAVE/s, "rifx", null],
  [/^riff\x2e\x91\xcf\x11/, "wave64", "w64"],
  [/^RIFF....AVI /s, "avi", "avi"],
  [/^FORM....AIF[FC]/s, "aiff", "aiff"],
  [/^(FORM....8SVX|FRM8........DSD )/s, "iff", "iff"],
  [/^caff\0\x01/, "caf", "caf"],
  [/^(\.snd|dns\.)/, "au", "au"],
  [/^Creative Voice File/, "voc", "voc"],
  [/^fLaC/, "flac", "flac"],
  [/^OggS/, "ogg", "ogg"],
  [/^\x1a\x45\xdf\xa3/, "matroska", "matroska"],
  [/^([\0-\x1f]...(ftyp|styp|moov|moof|sidx|uuid|wide|free|skip|junk|pnot)|....mdat)/s, "mp4", "mov"],
  [/^MAC /, "ape", "ape"],
  [/^wvpk/, "wavpack", "wv"],
  [/^TTA1/, "tta", "tta"],
  [/^TTA2/, "tta2", null],
  [/^tBaK/, "tak", "tak"],
  [/^MPCK/, "musepack", "mpc8"],
  [/^MP\+/, "musepack", "mpc"],
  [/^#!AMR/, "amr", "amr"],
  [/^DSD /, "dsf", "dsf"],
  [/^ajkg/, "shorten", "shn"],
  [/^\x30\x26\xb2\x75\x8e\x66\xcf\x11/, "asf", "asf"],
  [/^FLV\x01/, "flv", "flv"],
  [/^\.(RMF|ra\xfd)/, "realmedia", "rm"],
  [/^\0\0\x01\xba/, "mpeg", "mpeg"],
  [/^\0\0\x01\xb3/, "mpeg", "mpegvideo"],
  [/^\0?\0\0\x01[\x09\x27\x47\x67]/, "h264", "h264"],
  [/^\0?\0\0\x01[\x40\x46]\x01/, "hevc", "hevc"],
  [/^\0\0\x01\xb0/, "mpeg4", "m4v"],
  [/^\x1f\x07\0[\x3f\xbf]/, "dv", "dv"],
  [/^\x06\x0e\x2b\x34\x02\x05\x01\x01/, "mxf", "mxf"],
  [/^DTSHDHDR/, "dts", "dtshd"],
  [/^(\x7f\xfe\x80\x01|\xfe\x7f\x01\x80|\x1f\xff\xe8\0|\xff\x1f\0\xe8)/, "dts", "dts"],
  [/^....\xf8\x72\x6f\xba/s, "truehd", "truehd"],
  [/^(.{4})?\x47.{187}(.{4})?\x47.{187}(.{4})?\x47/s, "mpeg-ts", "mpegts"],
];

/** What is said of media that are recognized and that the engine cannot read, by type. */
export const UNREADABLE: Record<string, string> = {
  rifx: "Big-endian WAV (RIFX) is not supported. Export it as a standard WAV.",
  tta2: "True Audio 2 (TTA2) is not supported.",
  // Its index counts bytes from the start of the file.
  "shifted-mp4": "This MP4 has other data in front of it, such as an ID3 tag. Export it again without it.",
  "free-format": "MPEG audio without a declared bit rate (free format) is not supported.",
  "flac-65536": "FLAC with blocks of 65,536 samples is not supported.",
};

export const MEDIA_DEMUXERS: readonly string[] = MEDIA.flatMap(([, , demuxer]) => demuxer ?? []);

/** Returns null if `bytes`, the beginning of the content, match no signature and are not text. 4 kB are enough, and only images are certain in fewer. */
export function matchSignature(bytes: Buffer): ContentType | null {
  const head = bytes.toString("latin1", 0, 4_096);
  const image = imageType(bytes, head);
  if (image) return { kind: "image", type: image, demuxer: null };
  if (isText(bytes.subarray(0, 4_096))) return { kind: "document", type: textType(head), demuxer: null };
  const document = DOCUMENTS.find(([pattern]) => pattern.test(head));
  if (document) return { kind: "document", type: document[1], demuxer: null };
  const media = MEDIA.find(([pattern]) => pattern.test(head));
  return media ? { kind: "media", type: media[1], demuxer: media[2] } : null;
}

function textType(head: string): string {
  const text = head.replace(/^\xef\xbb\xbf/, "");
  return TEXT_TYPES.find(([pattern]) => pattern.test(text))?.[1] ?? "text";
}

function imageType(bytes: Buffer, head: string): string | null {
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (head.startsWith("\xff\xd8\xff")) return "jpeg";
  if (/^GIF8[79]a/.test(head)) return "gif";
  if (/^RIFF....WEBP/s.test(head)) return "webp";
  if (/^(II\*\0|MM\0\*|II\+\0|MM\0\+)/.test(head)) return "tiff";
  if (head.startsWith("BM") && bytes.length > 18 && [12, 40, 52, 56, 64, 108, 124].includes(bytes[14]!)) return "bmp";
  if (head.slice(4, 8) === "ftyp" && IMAGE_BRANDS.test(head.slice(8, 12))) return head.slice(8, 12).startsWith("avi") ? "avif" : "heif";
  if (head.startsWith("\xff\x0a") || head.startsWith("\0\0\0\fJXL ")) return "jxl";
  return null;
}

/** True for UTF-16 with a byte order mark, and for UTF-8 and 8-bit text without control characters other than white space and ESC. */
function isText(bytes: Buffer): boolean {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return true;
  return bytes.every((value) => value >= 0x20 || value === 0x09 || value === 0x0a || value === 0x0d || value === 0x0c || value === 0x1b);
}
