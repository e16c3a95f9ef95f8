/** Writes tags into WAV: RIFF INFO, iXML, and the ISRC where EBU Tech 3352 puts it (axml). Every other chunk stays, and the samples are not touched. */
import { buildAxml } from "./axml.ts";
import { createChunk, keepChunk, readChunks, type Chunk } from "./chunks.ts";
import { MAX_TAG_BYTES, totalLength, type ByteSource, type Piece, type Tag, tagValue } from "./types.ts";

const INFO_IDS: Readonly<Record<string, string>> = {
  title: "INAM",
  artist: "IART",
  album: "IPRD",
  composer: "IMUS",
  genre: "IGNR",
  date: "ICRD",
  comment: "ICMT",
};
const MAX_RIFF_BYTES = 0xff_ff_ff_ff;

/** Returns the body of a LIST chunk with the tags that INFO has a name for. `present`: the one that the file has. */
function buildInfo(present: Buffer | null, tags: readonly Tag[]): Buffer | null {
  const added = tags.flatMap(({ name, value }) => (INFO_IDS[name] ? [{ id: INFO_IDS[name], value }] : []));
  if (added.length === 0) return present;
  const kept: Buffer[] = [];
  for (let offset = 4; present && offset + 8 <= present.length;) {
    const length = present.readUInt32LE(offset + 4);
    const end = Math.min(present.length, offset + 8 + length);
    const id = present.toString("latin1", offset, offset + 4);
    if (!added.some((one) => one.id === id)) kept.push(createChunk(id, present.subarray(offset + 8, end), "little"));
    offset = end + (length % 2);
  }
  return Buffer.concat([Buffer.from("INFO"), ...kept, ...added.map(({ id, value }) => createChunk(id, Buffer.from(`${value}\0`), "little"))]);
}

const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Adds all tags to an iXML document, as lines of its element for users; null for a document that has no end. */
function buildIxml(present: string | null, tags: readonly Tag[]): string | null {
  const document = present ?? '<?xml version="1.0" encoding="UTF-8"?>\n<BWFXML>\n<IXML_VERSION>2.10</IXML_VERSION>\n</BWFXML>\n';
  const user = `<USER source="Talkback">${tags.map((tag) => escapeXml(`${tag.name}=${tagValue(tag)}`)).join("\n")}</USER>\n`;
  const cleaned = document.replace(/<USER source="Talkback">[^<]*<\/USER>\n?/, "");
  const end = cleaned.lastIndexOf("</BWFXML>");
  return end === -1 ? null : cleaned.slice(0, end) + user + cleaned.slice(end);
}

/** Returns the pieces of the copy; null for a damaged file, or one that would be too long for its format. */
export async function tagWav(source: ByteSource, tags: readonly Tag[]): Promise<Piece[] | null> {
  const form = await source.read(0, 12);
  const chunks = await readChunks(source, "little");
  if (!chunks) return null;
  const read = async (chunk: Chunk | undefined): Promise<Buffer | null> =>
    chunk ? source.read(chunk.bodyStart, Math.min(chunk.bodyEnd, chunk.bodyStart + MAX_TAG_BYTES)) : null;
  const text = (body: Buffer | null): string | null => body && body.toString("utf8").replaceAll("\0", "");
  let info: Chunk | undefined;
  for (const chunk of chunks) if (chunk.id === "LIST" && (await source.read(chunk.bodyStart, chunk.bodyStart + 4)).toString("latin1") === "INFO") info = chunk;
  const [ixml, axml] = [chunks.find(({ id }) => id === "iXML"), chunks.find(({ id }) => id === "axml")];
  const isrc = tags.find(({ name }) => name === "isrc");
  const newInfo = buildInfo(await read(info), tags);
  const newIxml = buildIxml(text(await read(ixml)), tags);
  if (newIxml === null) return null;
  const replaced = [info, ixml, ...(isrc ? [axml] : [])];
  const added = [
    ...(newInfo ? [createChunk("LIST", newInfo, "little")] : []),
    createChunk("iXML", Buffer.from(newIxml), "little"),
    ...(isrc ? [createChunk("axml", Buffer.from(buildAxml(text(await read(axml)), tagValue(isrc))), "little")] : []),
  ];
  const kept = chunks.filter((chunk) => !replaced.includes(chunk));
  const body: Piece[] = [...kept.flatMap(keepChunk), ...added];
  const length = totalLength(body) + 4;
  const is64 = form.toString("latin1", 0, 4) !== "RIFF";
  if (!is64 && length > MAX_RIFF_BYTES) return null;
  const head = Buffer.from(form);
  if (!is64) head.writeUInt32LE(length, 4);
  const [first] = kept;
  if (!is64 || !first) return [head, ...body];
  if (first.id !== "ds64" || first.bodyEnd - first.bodyStart < 8) return null;
  const ds64 = await source.read(first.start, first.end);
  ds64.writeBigUInt64LE(BigInt(length), 8);
  return [head, ds64, ...body.slice(keepChunk(first).length)];
}
