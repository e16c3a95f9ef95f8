/** Writes tags and embedded pictures into encoded files byte by byte, as other programs do and the engine's own writer cannot. */

const ascii = (text: string): Buffer => Buffer.from(text, "latin1");
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const uint32le = (value: number): Buffer => Buffer.from(uint32(value)).reverse();
const withLength32le = (bytes: Buffer): Buffer => Buffer.concat([uint32le(bytes.length), bytes]);
/** Seven bits per byte, as ID3v2 writes sizes. */
const syncSafe = (value: number): Buffer => Buffer.from([(value >> 21) & 0x7f, (value >> 14) & 0x7f, (value >> 7) & 0x7f, value & 0x7f]);

const ENCODINGS = { latin1: 0, utf16: 1, utf16be: 2, utf8: 3 } as const;
type TextEncoding = keyof typeof ENCODINGS;

function encodeText(text: string, encoding: TextEncoding): Buffer {
  if (encoding === "utf16be") return Buffer.from(text, "utf16le").swap16();
  return Buffer.from(text, encoding === "utf16" ? "utf16le" : encoding);
}

/** The content of a text frame; `utf16` is without a byte order mark. */
export const textFrame = (encoding: TextEncoding, ...values: string[]): Buffer =>
  Buffer.concat([Buffer.from([ENCODINGS[encoding]]), encodeText(values.join("\0"), encoding)]);

/** The content of a `USLT` or `COMM` frame in English, without a description. */
export const languageFrame = (text: string): Buffer => Buffer.concat([Buffer.from([ENCODINGS.utf8]), ascii("eng\0"), Buffer.from(text)]);

/** The content of an `APIC` frame. `type` 3 is the front cover, 1 the icon. */
export const pictureFrame = (picture: Buffer, mime = "image/jpeg", type = 3): Buffer =>
  Buffer.concat([Buffer.from([0]), ascii(`${mime}\0`), Buffer.from([type, 0]), picture]);

interface Id3v2Options {
  version?: 3 | 4;
  /** Replaces the size of the last frame. */
  declaredSize?: number;
  /** Bytes of zeros behind the frames. */
  padding?: number;
}

export function id3v2(frames: [id: string, content: Buffer][], { version = 4, declaredSize, padding = 0 }: Id3v2Options = {}): Buffer {
  const size = version === 4 ? syncSafe : uint32;
  const body = Buffer.concat(
    frames.map(([id, content], index) => {
      const length = index === frames.length - 1 ? (declaredSize ?? content.length) : content.length;
      return Buffer.concat([ascii(id), size(length), Buffer.alloc(2), content]);
    }),
  );
  return Buffer.concat([ascii("ID3"), Buffer.from([version, 0, 0]), syncSafe(body.length + padding), body, Buffer.alloc(padding)]);
}

/** An ID3v1 tag, whose fields have 30 characters. */
export function id3v1(title: string): Buffer {
  const tag = Buffer.alloc(128);
  tag.write("TAG", 0, "latin1");
  tag.write(title.slice(0, 30), 3, "latin1");
  tag[127] = 255;
  return tag;
}

/** An APEv2 tag with a footer only, or in the form for the start of a file. A text item has its values separated by NUL. Flag 2 marks binary items. */
export function apeV2(items: [key: string, value: Buffer | string[]][], { isLeading = false } = {}): Buffer {
  const body = Buffer.concat(
    items.map(([key, value]) => {
      const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value.join("\0"));
      return Buffer.concat([uint32le(bytes.length), uint32le(Buffer.isBuffer(value) ? 2 : 0), ascii(`${key}\0`), bytes]);
    }),
  );
  const mark = (flags: number): Buffer => Buffer.concat([ascii("APETAGEX"), ...[2_000, body.length + 32, items.length, flags].map(uint32le), Buffer.alloc(8)]);
  return isLeading ? Buffer.concat([mark(0xa000_0000), body, mark(0x8000_0000)]) : Buffer.concat([body, mark(0)]);
}

/** A picture as FLAC stores it (RFC 9639, section 8.8); in Vorbis comments it is base64. */
export function flacPicture(picture: Buffer, mime = "image/jpeg", type = 3, declaredSize = picture.length): Buffer {
  const mimeBytes = ascii(mime);
  return Buffer.concat([uint32(type), uint32(mimeBytes.length), mimeBytes, uint32(0), Buffer.alloc(16), uint32(declaredSize), picture]);
}

/** Vorbis comments, without the framing bit of Ogg. */
export const vorbisComments = (comments: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat([
    withLength32le(ascii("test")),
    uint32le(comments.length),
    ...comments.map((comment) => withLength32le(Buffer.isBuffer(comment) ? comment : Buffer.from(comment))),
  ]);

/** Adds metadata blocks to a FLAC file behind its stream information; type 4 has comments, type 6 a picture. */
export function withFlacBlocks(flac: Buffer, blocks: [type: number, content: Buffer][]): Buffer {
  const bytes = Buffer.from(flac);
  const end = 8 + bytes.readUIntBE(5, 3);
  // Comments of the encoder would hide ours.
  let rest = end;
  for (let isLast = (bytes[4]! & 0x80) !== 0; !isLast;) {
    isLast = (bytes[rest]! & 0x80) !== 0;
    rest += 4 + bytes.readUIntBE(rest + 1, 3);
  }
  bytes[4] = 0;
  const encoded = blocks.map(([type, content], index) => {
    const length = uint32(content.length);
    length[0] = type | (index === blocks.length - 1 ? 0x80 : 0);
    return Buffer.concat([length, content]);
  });
  return Buffer.concat([bytes.subarray(0, end), ...encoded, bytes.subarray(rest)]);
}

const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([uint32(body.length + 8), ascii(type), body]);
};
/** A value of an MP4 tag: type 1 is UTF-8, 13 JPEG, 14 PNG. */
export const mp4Data = (content: Buffer | string, type = 1): Buffer => box("data", uint32(type), Buffer.alloc(4), Buffer.from(content));
/** A tag of MP4, with one `data` box for each of its values. */
export const mp4Tag = (name: string, ...values: Buffer[]): Buffer => box(name, ...values);
export const mp4FreeTag = (name: string, ...values: Buffer[]): Buffer =>
  box("----", box("mean", Buffer.alloc(4), ascii("com.apple.iTunes")), box("name", Buffer.alloc(4), ascii(name)), ...values);

/** Adds tags to an MP4 that has its index at the end and no tags. */
export function withMp4Tags(mp4: Buffer, tags: readonly Buffer[]): Buffer {
  const moov = mp4.lastIndexOf("moov", undefined, "latin1") - 4;
  const handler = box("hdlr", Buffer.alloc(8), ascii("mdirappl"), Buffer.alloc(9));
  const userData = box("udta", box("meta", Buffer.alloc(4), handler, box("ilst", ...tags)));
  const size = mp4.readUInt32BE(moov);
  return Buffer.concat([mp4.subarray(0, moov), uint32(size + userData.length), mp4.subarray(moov + 4, moov + size), userData, mp4.subarray(moov + size)]);
}

/** Appends a chunk to a RIFF (little-endian) or AIFF (big-endian) file. */
export function withChunk(file: Buffer, id: string, content: Buffer): Buffer {
  const encode = file.subarray(0, 4).equals(ascii("RIFF")) ? uint32le : uint32;
  const padded = Buffer.concat([file, ascii(id), encode(content.length), content, Buffer.alloc(content.length % 2)]);
  encode(padded.length - 8).copy(padded, 4);
  return padded;
}

/** Adds an attached file to a Matroska file of unknown length, before its first cluster. */
export function withMatroskaAttachment(file: Buffer, content: Buffer, name: string, mime: string): Buffer {
  const element = (id: string, bytes: Buffer): Buffer => {
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(bytes.length) | (1n << 56n));
    return Buffer.concat([Buffer.from(id, "hex"), size, bytes]);
  };
  const attached = element(
    "61a7",
    Buffer.concat([element("466e", ascii(name)), element("4660", ascii(mime)), element("46ae", Buffer.from([7])), element("465c", content)]),
  );
  const cluster = file.indexOf(Buffer.from("1f43b675", "hex"));
  return Buffer.concat([file.subarray(0, cluster), element("1941a469", attached), file.subarray(cluster)]);
}
