/** Writes the tags of M4A. Only `moov` changes; the offsets of audio behind it move along, and the audio itself stays as it is. */
import { type Box, type Budget, createBudget, createHead, isTwice, readBoxes, readInWindows, readWhole } from "./mp4-boxes.ts";
import { buildUserData } from "./mp4-items.ts";
import type { ByteSource, Piece, Tag } from "./types.ts";

/** The boxes from `moov` to the tables of offsets, each in the one before. */
const PATH = ["trak", "mdia", "minf", "stbl"] as const;
/** Boxes with offsets of another kind: parts of a fragmented file, indexed items, and data for decryption. */
const OTHER_OFFSETS: ReadonlySet<string> = new Set(["moof", "meta", "saio"]);
const QUICKTIME = "qt  ";
const MAX_SHORT_OFFSET = 0xff_ff_ff_ff;

/** How far the bytes between two places move. */
interface Shift {
  from: number;
  to: number;
  by: number;
}

interface Replacement {
  start: number;
  end: number;
  by: Buffer;
}

/** Returns the tables of offsets in order; null for a damaged file, or one with offsets of another kind. */
async function findTables(source: ByteSource, movie: readonly Box[], budget: Budget): Promise<Box[] | null> {
  let boxes = [...movie];
  for (const type of PATH) {
    const inner: Box[] = [];
    for (const box of boxes.filter((one) => one.type === type)) {
      const children = await readBoxes(source, box.bodyStart, box.end, budget);
      if (!children) return null;
      inner.push(...children);
    }
    boxes = inner;
  }
  return boxes.some(({ type }) => OTHER_OFFSETS.has(type)) ? null : boxes.filter(({ type }) => type === "stco" || type === "co64");
}

/** Moves the offsets of a table; returns false if it is damaged, or an offset is outside the file or becomes too large. */
function shiftOffsets(table: Buffer, box: Box, { from, to, by }: Shift): boolean {
  const [first, width] = [box.bodyStart - box.start + 8, box.type === "co64" ? 8 : 4];
  if (table.length < first || table.readUInt32BE(first - 4) * width > table.length - first) return false;
  const end = first + table.readUInt32BE(first - 4) * width;
  for (let at = first; at < end; at += width) {
    const offset = width === 8 ? Number(table.readBigUInt64BE(at)) : table.readUInt32BE(at);
    if (offset < from) continue;
    if (offset >= to) return false;
    if (width === 8) table.writeBigUInt64BE(table.readBigUInt64BE(at) + BigInt(by), at);
    else if (offset + by > MAX_SHORT_OFFSET) return false;
    else table.writeUInt32BE(offset + by, at);
  }
  return true;
}

/** Returns the tables with the offsets in them moved; null if they are too long or one cannot be moved. */
async function moveTables(source: ByteSource, movie: readonly Box[], shift: Shift, budget: Budget): Promise<Replacement[] | null> {
  const replacements: Replacement[] = [];
  if (shift.by === 0) return replacements;
  const tables = await findTables(source, movie, budget);
  if (!tables) return null;
  for (const box of tables) {
    const by = await readWhole(source, box, budget);
    if (!by || !shiftOffsets(by, box, shift)) return null;
    replacements.push({ start: box.start, end: box.end, by });
  }
  return replacements;
}

function replace(size: number, replacements: readonly Replacement[]): Piece[] {
  const pieces: Piece[] = [];
  let copied = 0;
  for (const { start, end, by } of [...replacements].sort((one, other) => one.start - other.start)) {
    if (start > copied) pieces.push({ start: copied, end: start });
    pieces.push(by);
    copied = end;
  }
  return [...pieces, { start: copied, end: size }];
}

/** Returns the pieces of the copy; null for a damaged file, or one of a kind whose offsets cannot be moved. */
export async function tagMp4(storedFile: ByteSource, tags: readonly Tag[]): Promise<Piece[] | null> {
  const [source, budget] = [readInWindows(storedFile), createBudget()];
  const boxes = await readBoxes(source, 0, source.size, budget);
  const [type, movie] = [boxes?.[0], boxes?.find((box) => box.type === "moov")];
  if (!boxes || !type || !movie || isTwice(boxes, "moov") || boxes.some((box) => OTHER_OFFSETS.has(box.type))) return null;
  if ((await source.read(type.bodyStart, type.bodyStart + 4)).toString("latin1") === QUICKTIME) return null;
  const children = await readBoxes(source, movie.bodyStart, movie.end, budget);
  if (!children || isTwice(children, "udta")) return null;
  const userData = children.find((box) => box.type === "udta");
  const present = userData ? await readWhole(source, userData, budget) : Buffer.alloc(0);
  const built = present && (await buildUserData(present, tags, budget));
  if (!built) return null;
  const difference = built.length - present.length;
  const head = createHead(movie, movie.end - movie.start + difference);
  const tables = await moveTables(source, children, { from: movie.end, to: source.size, by: difference }, budget);
  if (!head || !tables) return null;
  // New user data follows the last box in `moov`.
  const place = userData ?? { start: children.at(-1)?.end ?? movie.bodyStart, end: children.at(-1)?.end ?? movie.bodyStart };
  return replace(source.size, [{ start: movie.start, end: movie.bodyStart, by: head }, ...tables, { start: place.start, end: place.end, by: built }]);
}
