/** Builds the tags of M4A: `udta` with the list of items (`ilst`) that iTunes introduced. Everything in them that is not set anew stays. */
import { type Box, type Budget, createBox, isTwice, readBoxes } from "./mp4-boxes.ts";
import { type ByteSource, type Tag, tagValue } from "./types.ts";

const ATOMS: Readonly<Record<string, string>> = {
  title: "\xa9nam",
  artist: "\xa9ART",
  album: "\xa9alb",
  composer: "\xa9wrt",
  genre: "\xa9gen",
  date: "\xa9day",
  comment: "\xa9cmt",
};
/** Tags without an atom are items with a name. These names differ from the tag's. */
const FREE_NAMES: Readonly<Record<string, string>> = { isrc: "ISRC", key: "initialkey", bpm: "BPM" };
const TEMPO = "tmpo";
const GENRE_NUMBER = "gnre";
const FREE = "----";
const MEAN = "com.apple.iTunes";
const TEXT = 1;
const INTEGER = 21;

const sourceOf = (bytes: Buffer): ByteSource => ({ size: bytes.length, read: async (start, end) => bytes.subarray(start, end) });
const bytesOf = (bytes: Buffer, { start, end }: Box): Buffer => bytes.subarray(start, end);
const bodyOf = (bytes: Buffer, { bodyStart, end }: Box): Buffer => bytes.subarray(bodyStart, end);

function createData(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(type);
  return createBox("data", head, value);
}
const createFree = (name: string, value: string): Buffer =>
  createBox(
    FREE,
    createBox("mean", Buffer.alloc(4), Buffer.from(MEAN)),
    createBox("name", Buffer.alloc(4), Buffer.from(name)),
    createData(TEXT, Buffer.from(value)),
  );

interface NewItem {
  /** The atoms that it replaces, and in lower case the named item that it replaces. */
  atoms: readonly string[];
  freeName: string | null;
  boxes: Buffer[];
}

function createItem(tag: Tag): NewItem {
  const value = tagValue(tag);
  const atom = ATOMS[tag.name];
  if (atom)
    return { atoms: tag.name === "genre" ? [atom, GENRE_NUMBER] : [atom], freeName: null, boxes: [createBox(atom, createData(TEXT, Buffer.from(value)))] };
  const name = FREE_NAMES[tag.name] ?? tag.name;
  const item = { atoms: [], freeName: name.toLowerCase(), boxes: [createFree(name, value)] };
  if (tag.name !== "bpm") return item;
  const [exact, tempo] = [Number(value), Buffer.alloc(2)];
  if (!(exact >= 1 && exact <= 65_535)) return { ...item, atoms: [TEMPO] };
  // The atom of the tempo has whole numbers only.
  tempo.writeUInt16BE(Math.round(exact));
  const atoms = [createBox(TEMPO, createData(INTEGER, tempo))];
  return { ...item, atoms: [TEMPO], boxes: Number.isInteger(exact) ? atoms : [...atoms, ...item.boxes] };
}

/** Returns the name of a named item in lower case; null for one of another program's kind. */
async function readFreeName(bytes: Buffer, box: Box, budget: Budget): Promise<string | null> {
  const children = (await readBoxes(sourceOf(bytes), box.bodyStart, box.end, budget)) ?? [];
  const textOf = (type: string): string | undefined => {
    const child = children.find((one) => one.type === type);
    return child && bytes.toString("utf8", child.bodyStart + 4, child.end);
  };
  return textOf("mean") === MEAN ? (textOf("name")?.toLowerCase() ?? null) : null;
}

async function buildItems(bytes: Buffer, list: Box | undefined, tags: readonly Tag[], budget: Budget): Promise<Buffer | null> {
  const present = list ? await readBoxes(sourceOf(bytes), list.bodyStart, list.end, budget) : [];
  if (!present) return null;
  const added = tags.map(createItem);
  const kept: Buffer[] = [];
  for (const box of present) {
    const name = box.type === FREE ? await readFreeName(bytes, box, budget) : null;
    if (!added.some(({ atoms, freeName }) => atoms.includes(box.type) || (name !== null && freeName === name))) kept.push(bytesOf(bytes, box));
  }
  return createBox("ilst", ...kept, ...added.flatMap(({ boxes }) => boxes));
}

const HANDLER = createBox("hdlr", Buffer.alloc(8), Buffer.from("mdirappl"), Buffer.alloc(9));

/** Returns the box `meta`; null if the present one is damaged, or has tags twice or of another kind. */
async function buildMeta(bytes: Buffer, meta: Box | undefined, tags: readonly Tag[], budget: Budget): Promise<Buffer | null> {
  if (!meta) {
    const items = await buildItems(bytes, undefined, tags, budget);
    return items && createBox("meta", Buffer.alloc(4), HANDLER, items);
  }
  // QuickTime has no version and flags before the first box.
  const versionBytes = bytes.toString("latin1", meta.bodyStart + 4, meta.bodyStart + 8) === "hdlr" ? 0 : 4;
  const children = await readBoxes(sourceOf(bytes), meta.bodyStart + versionBytes, meta.end, budget);
  const handler = children?.find(({ type }) => type === "hdlr");
  if (!children || !handler || bodyOf(bytes, handler).toString("latin1", 8, 12) !== "mdir" || isTwice(children, "ilst")) return null;
  const list = children.find(({ type }) => type === "ilst");
  const items = await buildItems(bytes, list, tags, budget);
  if (!items) return null;
  const others = (from: Box[]) => from.map((box) => bytesOf(bytes, box));
  const index = list ? children.indexOf(list) : children.length;
  return createBox("meta", bodyOf(bytes, meta).subarray(0, versionBytes), ...others(children.slice(0, index)), items, ...others(children.slice(index + 1)));
}

/** Returns the box `udta` with these tags; null if it is damaged, has too many boxes, or has tags twice or of another kind. `present`: the whole box, or nothing. */
export async function buildUserData(present: Buffer, tags: readonly Tag[], budget: Budget): Promise<Buffer | null> {
  const [userData] = (await readBoxes(sourceOf(present), 0, present.length, budget)) ?? [];
  const children = userData ? await readBoxes(sourceOf(present), userData.bodyStart, userData.end, budget) : [];
  if (!children || (present.length > 0 && !userData) || isTwice(children, "meta")) return null;
  const meta = children.find(({ type }) => type === "meta");
  const built = await buildMeta(present, meta, tags, budget);
  // A named item whose boxes were too many would stay beside the new one.
  if (!built || budget.boxes < 0) return null;
  // Four zeros may end the box, and stay at its end.
  const rest = userData ? present.subarray(children.at(-1)?.end ?? userData.bodyStart, userData.end) : Buffer.alloc(0);
  const kept = children.map((box) => (box === meta ? built : bytesOf(present, box)));
  return createBox("udta", ...kept, ...(meta ? [] : [built]), rest);
}
