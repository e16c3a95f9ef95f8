/** Writes Vorbis comments into FLAC: only the comment block changes, all other blocks and the audio frames stay. */
import { MAX_TAG_BYTES, type ByteSource, type Piece, type Tag, tagValue } from "./types.ts";

const VORBIS_COMMENT = 4;
const MAX_BLOCK_BYTES = 0xff_ff_ff;
const NAMES: Readonly<Record<string, string>> = { key: "INITIALKEY" };

/** Returns the vendor and the comments of a block. */
function parseComments(block: Buffer): { vendor: Buffer; comments: Buffer[] } | null {
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
  return { vendor, comments };
}

const withLength = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** Returns the block with these tags in place of comments of the same name; null for a damaged one. */
export function buildComments(block: Buffer | null, tags: readonly Tag[]): Buffer | null {
  const parsed = block ? parseComments(block) : { vendor: Buffer.from("Talkback"), comments: [] };
  if (!parsed) return null;
  const added = tags.map((tag) => ({ name: NAMES[tag.name] ?? tag.name.toUpperCase(), value: tagValue(tag) }));
  const nameOf = (comment: Buffer): string => comment.toString("utf8").split("=", 1)[0]?.toUpperCase() ?? "";
  const kept = parsed.comments.filter((comment) => !added.some(({ name }) => name === nameOf(comment)));
  const all = [...kept, ...added.map(({ name, value }) => Buffer.from(`${name}=${value}`))];
  const count = Buffer.alloc(4);
  count.writeUInt32LE(all.length);
  return Buffer.concat([withLength(parsed.vendor), count, ...all.map(withLength)]);
}

/** Returns the pieces of the copy; null for a damaged file. */
export async function tagFlac(source: ByteSource, tags: readonly Tag[]): Promise<Piece[] | null> {
  const blocks: { type: number; start: number; end: number }[] = [];
  let offset = 4;
  for (let isLast = false; !isLast;) {
    const head = await source.read(offset, offset + 4);
    if (head.length < 4 || blocks.length > 1_000) return null;
    isLast = ((head[0] ?? 0) & 0x80) !== 0;
    const end = offset + 4 + head.readUIntBE(1, 3);
    if (end > source.size) return null;
    blocks.push({ type: (head[0] ?? 0) & 0x7f, start: offset + 4, end });
    offset = end;
  }
  const present = blocks.find(({ type }) => type === VORBIS_COMMENT);
  if (present && present.end - present.start > MAX_TAG_BYTES) return null;
  const comments = buildComments(present ? await source.read(present.start, present.end) : null, tags);
  if (!comments || comments.length > MAX_BLOCK_BYTES) return null;
  const [first, ...rest] = blocks.filter(({ type }) => type !== VORBIS_COMMENT);
  if (!first) return null;
  const ordered: { type: number; piece: Piece; length: number }[] = [
    { type: first.type, piece: first, length: first.end - first.start },
    { type: VORBIS_COMMENT, piece: comments, length: comments.length },
    ...rest.map((block) => ({ type: block.type, piece: block, length: block.end - block.start })),
  ];
  const pieces = ordered.flatMap(({ type, piece, length }, index): Piece[] => {
    const head = Buffer.alloc(4);
    head.writeUIntBE(length, 1, 3);
    head[0] = type | (index === ordered.length - 1 ? 0x80 : 0);
    return [head, Buffer.isBuffer(piece) ? piece : { start: piece.start, end: piece.end }];
  });
  return [Buffer.from("fLaC"), ...pieces, { start: offset, end: source.size }];
}
