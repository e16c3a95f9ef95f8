/** Writes the tags of M4A. Only `moov` changes; the offsets of audio behind it move along, and the audio itself stays as it is. */
import { readBoxes, withBody, type Box } from "./mp4-boxes.ts";
import { buildUserData } from "./mp4-items.ts";
import { MAX_TAG_BYTES, totalLength, type ByteSource, type Piece, type Tag } from "./types.ts";

/** Boxes on the way to the tables of offsets. */
const CONTAINERS: ReadonlySet<string> = new Set(["moov", "trak", "mdia", "minf", "stbl"]);
/** Boxes with offsets of another kind: parts of a fragmented file, indexed items, and data for decryption. */
const OTHER_OFFSETS: ReadonlySet<string> = new Set(["moof", "meta", "saio"]);
const QUICKTIME = "qt  ";
const MAX_SHORT_OFFSET = 0xff_ff_ff_ff;

/** How far the bytes from `from` on move. */
interface Shift {
  from: number;
  by: number;
}

const rangeOf = ({ start, end }: Box): Piece => ({ start, end });

/** Returns a table of offsets with those that move; null if it is damaged or an offset becomes too large. */
async function shiftOffsets(source: ByteSource, box: Box, { from, by }: Shift): Promise<Piece[] | null> {
  const table = Buffer.from(await source.read(box.start, box.end));
  const [first, width] = [box.bodyStart - box.start + 8, box.type === "co64" ? 8 : 4];
  if (table.length < first || table.readUInt32BE(first - 4) * width > table.length - first) return null;
  const end = first + table.readUInt32BE(first - 4) * width;
  for (let at = first; at < end; at += width) {
    const offset = width === 8 ? Number(table.readBigUInt64BE(at)) : table.readUInt32BE(at);
    if (offset < from) continue;
    if (width === 8) table.writeBigUInt64BE(table.readBigUInt64BE(at) + BigInt(by), at);
    else if (offset + by > MAX_SHORT_OFFSET) return null;
    else table.writeUInt32BE(offset + by, at);
  }
  return [table];
}

/** Returns a container with the offsets in it moved, and with `replaced` in place of that box; null for a damaged file. */
async function rewrite(source: ByteSource, box: Box, shift: Shift, replaced?: { box: Box | undefined; by: Buffer }): Promise<Piece[] | null> {
  const children = await readBoxes(source, box.bodyStart, box.end);
  if (!children) return null;
  const body: Piece[] = [];
  for (const child of children) {
    if (replaced?.box?.start === child.start) body.push(replaced.by);
    else if (shift.by === 0) body.push(rangeOf(child));
    else if (OTHER_OFFSETS.has(child.type) && box.type === "stbl") return null;
    else if (CONTAINERS.has(child.type)) {
      const inner = await rewrite(source, child, shift);
      if (!inner) return null;
      body.push(...inner);
    } else if (child.type === "stco" || child.type === "co64") {
      const table = child.end - child.start > MAX_TAG_BYTES ? null : await shiftOffsets(source, child, shift);
      if (!table) return null;
      body.push(...table);
    } else body.push(rangeOf(child));
  }
  if (replaced && !replaced.box) body.push(replaced.by);
  body.push({ start: children.at(-1)?.end ?? box.bodyStart, end: box.end });
  return withBody(box, body);
}

/** Returns the pieces of the copy; null for a damaged file, or one of a kind whose offsets cannot be moved. */
export async function tagMp4(source: ByteSource, tags: readonly Tag[]): Promise<Piece[] | null> {
  const boxes = await readBoxes(source, 0, source.size);
  const [type, movies] = [boxes?.[0], boxes?.filter((box) => box.type === "moov") ?? []];
  const [movie] = movies;
  if (!boxes || !type || !movie || movies.length > 1 || boxes.some((box) => OTHER_OFFSETS.has(box.type))) return null;
  if ((await source.read(type.bodyStart, type.bodyStart + 4)).toString("latin1") === QUICKTIME) return null;
  const userData = (await readBoxes(source, movie.bodyStart, movie.end))?.find((box) => box.type === "udta");
  const presentLength = userData ? userData.end - userData.start : 0;
  if (presentLength > MAX_TAG_BYTES) return null;
  const built = await buildUserData(userData ? await source.read(userData.start, userData.end) : Buffer.alloc(0), tags);
  if (!built) return null;
  const difference = built.length - presentLength;
  const rewritten = await rewrite(source, movie, { from: movie.end, by: difference }, { box: userData, by: built });
  if (!rewritten || totalLength(rewritten) !== movie.end - movie.start + difference) return null;
  return [{ start: 0, end: movie.start }, ...rewritten, { start: movie.end, end: source.size }];
}
