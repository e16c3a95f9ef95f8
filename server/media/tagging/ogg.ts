/** Writes the comments of Ogg Vorbis and Opus. Only header pages change; audio pages at most get other numbers, and other streams stay as they are. */
import { CONTINUED, createHeaderPages, createPageReader, FIRST, hasNoGranule, LAST, type Page, renumberPages } from "./ogg-pages.ts";
import { MAX_TAG_BYTES, type ByteSource, type Piece, type Range, type Tag } from "./types.ts";
import { buildComments } from "./vorbis-comments.ts";

interface Codec {
  /** How the packets of the header begin, from that with the comments on. */
  first: string;
  headers: readonly [comments: string, ...others: string[]];
  /** A bit that is 1 follows the comments. */
  hasFramingBit: boolean;
}

const CODECS: readonly Codec[] = [
  { first: "\x01vorbis", headers: ["\x03vorbis", "\x05vorbis"], hasFramingBit: true },
  { first: "OpusHead", headers: ["OpusTags"], hasFramingBit: false },
];
const MAX_PAGES = 10_000;

const beginsWith = (packet: Buffer, text: string): boolean => packet.toString("latin1", 0, text.length) === text;

interface Header {
  codec: Codec;
  serial: number;
  /** The pages with the headers from the comments on. */
  pages: Page[];
  packets: Buffer[];
  /** Pages of other streams between them. */
  others: Range[];
}

/** Reads the headers of the first audio stream; null for a damaged file, or one without such a stream. */
async function readHeader(source: ByteSource): Promise<Header | null> {
  const readPage = createPageReader(source);
  let header: (Header & { sequence: number }) | undefined;
  let unfinished: Buffer[] = [];
  for (let [offset, count] = [0, 0]; count < MAX_PAGES && offset < MAX_TAG_BYTES; count += 1) {
    const page = await readPage(offset);
    if (!page) return null;
    offset = page.end;
    const codec = CODECS.find(({ first }) => beginsWith(page.body, first));
    const isFirst = (page.flags & FIRST) !== 0;
    if (!header) {
      if (isFirst && codec) header = { codec, serial: page.serial, sequence: page.sequence, pages: [], packets: [], others: [] };
    } else if (header.serial === page.serial) {
      // Another stream with the same number could not be told apart.
      if (isFirst) return null;
      const isContinued = (page.flags & CONTINUED) !== 0;
      header.sequence = (header.sequence + 1) >>> 0;
      if (page.sequence !== header.sequence || isContinued !== unfinished.length > 0 || !hasNoGranule(page)) return null;
      header.pages.push(page);
      let start = 0;
      for (const length of page.lacing) {
        unfinished.push(page.body.subarray(start, start + length));
        start += length;
        if (length === 255) continue;
        header.packets.push(Buffer.concat(unfinished));
        unfinished = [];
      }
      const { headers } = header.codec;
      if (header.packets.length < headers.length) continue;
      // Audio begins on a page of its own.
      const isWhole = unfinished.length === 0 && header.packets.length === headers.length;
      return isWhole && headers.every((text, index) => beginsWith(header!.packets[index]!, text)) ? header : null;
    } else if (header.pages.length > 0) {
      const before = header.others.at(-1);
      if (before?.end === page.start) before.end = page.end;
      else header.others.push({ start: page.start, end: page.end });
    }
  }
  return null;
}

/** Returns the pieces of the copy; null for a damaged file. */
export async function tagOgg(source: ByteSource, tags: readonly Tag[]): Promise<Piece[] | null> {
  const header = await readHeader(source);
  const [present, ...others] = header?.packets ?? [];
  const [firstPage, lastPage] = [header?.pages[0], header?.pages.at(-1)];
  if (!header || !present || !firstPage || !lastPage) return null;
  const [name] = header.codec.headers;
  const built = buildComments(present.subarray(name.length), tags);
  if (!built || (header.codec.hasFramingBit && ((built.rest[0] ?? 0) & 1) === 0)) return null;
  const comments = Buffer.concat([Buffer.from(name, "latin1"), built.block, built.rest]);
  const { serial, pages } = header;
  const created = createHeaderPages([comments, ...others], {
    serial,
    sequence: firstPage.sequence,
    pageCount: pages.length,
    flags: lastPage.flags & LAST,
  });
  const audio: Range = { start: lastPage.end, end: source.size };
  const difference = created.length - pages.length;
  return [
    { start: 0, end: firstPage.start },
    ...created,
    ...header.others,
    // Pages behind the last one of the stream are of another one, even with the same number.
    difference === 0 || (lastPage.flags & LAST) !== 0 ? audio : { ...audio, rewrite: renumberPages(serial, difference) },
  ];
}
