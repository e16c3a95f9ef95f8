/** Vorbis comments, as FLAC, Ogg Vorbis and Opus have them. */
import { type Tag, tagValue } from "./types.ts";

const NAMES: Readonly<Record<string, string>> = { key: "INITIALKEY" };

interface Comments {
  vendor: Buffer;
  comments: Buffer[];
  /** What follows the comments, such as the framing bit of Vorbis. */
  rest: Buffer;
}

function parseComments(block: Buffer): Comments | null {
  let offset = 0;
  const next = (): Buffer | null => {
    if (offset + 4 > block.length) return null;
    const end = offset + 4 + block.readUInt32LE(offset);
    if (end > block.length) return null;
    const bytes = block.subarray(offset + 4, end);
    offset = end;
    return bytes;
  };
  const vendor = next();
  if (!vendor || offset + 4 > block.length) return null;
  const count = block.readUInt32LE(offset);
  offset += 4;
  const comments: Buffer[] = [];
  while (comments.length < count) {
    const comment = next();
    if (!comment) return null;
    comments.push(comment);
  }
  return { vendor, comments, rest: block.subarray(offset) };
}

const withLength = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** Returns the block with these tags in place of comments of the same name, and what followed the comments; null for a damaged one. `block`: null to create one. */
export function buildComments(block: Buffer | null, tags: readonly Tag[]): { block: Buffer; rest: Buffer } | null {
  const parsed = block ? parseComments(block) : { vendor: Buffer.from("Talkback"), comments: [], rest: Buffer.alloc(0) };
  if (!parsed) return null;
  const added = tags.map((tag) => ({ name: NAMES[tag.name] ?? tag.name.toUpperCase(), value: tagValue(tag) }));
  const nameOf = (comment: Buffer): string => comment.toString("utf8").split("=", 1)[0]?.toUpperCase() ?? "";
  const kept = parsed.comments.filter((comment) => !added.some(({ name }) => name === nameOf(comment)));
  const all = [...kept, ...added.map(({ name, value }) => Buffer.from(`${name}=${value}`))];
  const count = Buffer.alloc(4);
  count.writeUInt32LE(all.length);
  return { block: Buffer.concat([withLength(parsed.vendor), count, ...all.map(withLength)]), rest: parsed.rest };
}
