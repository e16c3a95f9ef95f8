/** Wire records of the knowledge base: the text of documents, and the lyrics and notes in audio. All of them are extensions. */
import * as z from "zod/mini";
import { entryKind } from "./file-records.ts";
import { id, timestamp } from "./text.ts";

export const PAGE_SOURCES = ["document", "lyrics", "notes"] as const;
export type PageSource = (typeof PAGE_SOURCES)[number];
/** `waiting`: the document has not been read yet. `none`: the format has no text that is read, and the file no lyrics or notes. */
export const TEXT_STATES = ["waiting", "indexed", "empty", "encrypted", "failed", "none"] as const;
export type TextState = (typeof TEXT_STATES)[number];

/** Returns what people call a page: PDFs have pages, other documents parts. */
export const pageLabel = (source: PageSource, unit: "page" | "part", number: number): string =>
  source === "lyrics" ? "Lyrics" : source === "notes" ? "Notes" : `${unit === "page" ? "Page" : "Part"} ${number}`;

/** `start` and `end` count UTF-16 units of the excerpt. */
const highlight = z.looseObject({ start: z.int(), end: z.int() });

export const knowledgeResult = z.looseObject({
  object: z.literal("knowledge_result"),
  file: z.looseObject({ id, name: z.string(), kind: entryKind, version: z.int() }),
  project: z.looseObject({ id, name: z.string() }),
  source: z.enum(PAGE_SOURCES),
  page: z.int(),
  page_label: z.string(),
  /** The text around the first match, as one line. */
  excerpt: z.string(),
  highlights: z.array(highlight),
  /** When the version was uploaded. */
  time: timestamp,
});
export type KnowledgeResult = z.infer<typeof knowledgeResult>;

export const filePage = z.looseObject({
  object: z.literal("file_page"),
  number: z.int(),
  label: z.string(),
  source: z.enum(PAGE_SOURCES),
  /** Of its text, in Unicode code points. */
  characters: z.int(),
});
export type FilePage = z.infer<typeof filePage>;
export const filePageWithText = z.looseObject({ ...filePage.shape, text: z.string() });
export type FilePageWithText = z.infer<typeof filePageWithText>;

/** What is known of a version's text. */
export const fileText = z.looseObject({
  state: z.enum(TEXT_STATES),
  /** Why the text was not read, for people; "" otherwise. */
  reason: z.string(),
  unit: z.enum(["page", "part"]),
  /** Of the document; `data` lists those with text that was read. */
  page_count: z.int(),
  /** True if the end of a very long document was not read. */
  is_cut: z.boolean(),
  version: z.int(),
});
export type FileText = z.infer<typeof fileText>;
