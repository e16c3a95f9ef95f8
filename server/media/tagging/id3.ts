/** Builds an ID3v2 tag that keeps all frames of the present one except those that are set anew. */
import type { Tag } from "./types.ts";
import { tagValue } from "./types.ts";

const HEADER_BYTES = 10;
const FRAMES: Readonly<Record<string, string>> = {
  title: "TIT2",
  artist: "TPE1",
  album: "TALB",
  composer: "TCOM",
  isrc: "TSRC",
  genre: "TCON",
  bpm: "TBPM",
  key: "TKEY",
};
/** Frames of the date in both versions. */
const DATE_FRAMES = ["TDRC", "TYER", "TDAT"];

const readSynchsafe = (bytes: Buffer, offset: number): number => bytes.subarray(offset, offset + 4).reduce((value, byte) => value * 128 + (byte & 0x7f), 0);
const writeSynchsafe = (value: number): Buffer => Buffer.from([21, 14, 7, 0].map((shift) => (value >>> shift) & 0x7f));

/** Returns the length of the tag that begins with these bytes; 0 without one. */
export function id3Length(head: Buffer): number {
  if (head.length < HEADER_BYTES || head.toString("latin1", 0, 3) !== "ID3") return 0;
  const hasFooter = head[3] === 4 && ((head[5] ?? 0) & 0x10) !== 0;
  return HEADER_BYTES + readSynchsafe(head, 6) + (hasFooter ? HEADER_BYTES : 0);
}

interface Frame {
  id: string;
  bytes: Buffer;
}

/** Returns the frames of a tag of version 2.3 or 2.4; null for a tag that cannot be kept. */
function parseFrames(tag: Buffer): { version: 3 | 4; frames: Frame[] } | null {
  const version = tag[3];
  if (version !== 3 && version !== 4) return null;
  const flags = tag[5] ?? 0;
  let body = tag.subarray(HEADER_BYTES, HEADER_BYTES + readSynchsafe(tag, 6));
  // Version 2.3 hides false sync marks in the whole tag, 2.4 in single frames, whose own flags say so.
  if (version === 3 && (flags & 0x80) !== 0) body = Buffer.from(body.toString("latin1").replaceAll("\xff\0", "\xff"), "latin1");
  let offset = 0;
  const hasExtendedHeader = (flags & 0x40) !== 0;
  if (hasExtendedHeader && body.length < 4) return null;
  if (hasExtendedHeader) offset = version === 3 ? 4 + body.readUInt32BE(0) : readSynchsafe(body, 0);
  const frames: Frame[] = [];
  while (offset + HEADER_BYTES <= body.length && body[offset] !== 0) {
    const length = version === 3 ? body.readUInt32BE(offset + 4) : readSynchsafe(body, offset + 4);
    const end = offset + HEADER_BYTES + length;
    if (end > body.length) return null;
    frames.push({ id: body.toString("latin1", offset, offset + 4), bytes: body.subarray(offset, end) });
    offset = end;
  }
  return { version, frames };
}

const encode = (version: 3 | 4, text: string): Buffer =>
  version === 4 ? Buffer.from(text, "utf8") : Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
const terminator = (version: 3 | 4): Buffer => Buffer.alloc(version === 4 ? 1 : 2);
const encodingByte = (version: 3 | 4): Buffer => Buffer.from([version === 4 ? 3 : 1]);

function createFrame(version: 3 | 4, id: string, body: Buffer): Frame {
  const length = version === 4 ? writeSynchsafe(body.length) : Buffer.alloc(4);
  if (version === 3) length.writeUInt32BE(body.length);
  return { id, bytes: Buffer.concat([Buffer.from(id, "latin1"), length, Buffer.alloc(2), body]) };
}

const textFrame = (version: 3 | 4, id: string, text: string): Frame => createFrame(version, id, Buffer.concat([encodingByte(version), encode(version, text)]));

/** The description of a TXXX or COMM frame in upper case; null if it cannot be read. */
function descriptionOf({ id, bytes }: Frame): string | null {
  const body = bytes.subarray(HEADER_BYTES);
  const isWide = body[0] === 1 || body[0] === 2;
  const start = id === "COMM" ? 4 : 1;
  for (let offset = start; offset < body.length; offset += isWide ? 2 : 1)
    if (body[offset] === 0 && (!isWide || body[offset + 1] === 0)) {
      const text = body.subarray(start, offset);
      return (isWide ? text.toString("utf16le").replaceAll(/[\uFEFF\uFFFE]/g, "") : text.toString(body[0] === 0 ? "latin1" : "utf8")).toUpperCase();
    }
  return null;
}

/** Returns what a tag becomes: its new frames, and which of the present ones they replace. */
function toFrames(version: 3 | 4, tag: Tag): { added: Frame[]; replaces: (frame: Frame) => boolean } {
  const value = tagValue(tag);
  const id = FRAMES[tag.name];
  if (id) return { added: [textFrame(version, id, value)], replaces: (frame) => frame.id === id };
  if (tag.name === "date") {
    const [year = "", month = "", day = ""] = value.split("-");
    const added = version === 4 ? [textFrame(4, "TDRC", value)] : [textFrame(3, "TYER", year), ...(day ? [textFrame(3, "TDAT", day + month)] : [])];
    return { added, replaces: (frame) => DATE_FRAMES.includes(frame.id) };
  }
  if (tag.name === "comment") {
    const body = Buffer.concat([encodingByte(version), Buffer.from("eng"), encode(version, ""), terminator(version), encode(version, value)]);
    return { added: [createFrame(version, "COMM", body)], replaces: (frame) => frame.id === "COMM" && descriptionOf(frame) === "" };
  }
  const body = Buffer.concat([encodingByte(version), encode(version, tag.name), terminator(version), encode(version, value)]);
  return { added: [createFrame(version, "TXXX", body)], replaces: (frame) => frame.id === "TXXX" && descriptionOf(frame) === tag.name.toUpperCase() };
}

/** Returns the new tag; null if the present one is of a kind that cannot be kept. `present`: the whole tag, or nothing. */
export function buildId3(present: Buffer, tags: readonly Tag[]): Buffer | null {
  const parsed = present.length === 0 ? { version: 4 as const, frames: [] } : parseFrames(present);
  if (!parsed) return null;
  const { version } = parsed;
  const changes = tags.map((tag) => toFrames(version, tag));
  const kept = parsed.frames.filter((frame) => !changes.some(({ replaces }) => replaces(frame)));
  const body = Buffer.concat([...kept, ...changes.flatMap(({ added }) => added)].map(({ bytes }) => bytes));
  return Buffer.concat([Buffer.from("ID3"), Buffer.from([version, 0, 0]), writeSynchsafe(body.length), body]);
}
