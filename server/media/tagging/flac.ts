/** Writes Vorbis comments into FLAC: only the comment block changes, all other blocks and the audio frames stay. */
import { MAX_TAG_BYTES, type ByteSource, type Piece, type Tag } from "./types.ts";
import { buildComments } from "./vorbis-comments.ts";

const VORBIS_COMMENT = 4;
const MAX_BLOCK_BYTES = 0xff_ff_ff;

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
  const comments = buildComments(present ? await source.read(present.start, present.end) : null, tags)?.block;
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
