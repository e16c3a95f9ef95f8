/** Wire records of the search across all projects, all of them extensions. */
import * as z from "zod/mini";
import { entryKind } from "./file-records.ts";
import { fileStatus } from "./records.ts";
import { id, timestamp } from "./text.ts";

/** In the order in which results are listed. */
export const SEARCH_KINDS = ["project", "person", "file", "playlist", "task", "message", "comment", "document"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export const searchResult = z.looseObject({
  object: z.literal("search_result"),
  kind: z.enum(SEARCH_KINDS),
  /** The id of the project, person, file or folder, playlist, task, message, comment or page. */
  id,
  /** Its name or title; "" for messages and comments. Of a page the name of its file. */
  title: z.string(),
  /** Of messages and comments the text around the first match, with the names of people who are mentioned; of projects their description. */
  text: z.string(),
  /** null for people. */
  project: z.nullable(z.looseObject({ id, name: z.string() })),
  /** The file or folder itself, or the one that the comment or task is about. */
  file: z.nullable(z.looseObject({ id, name: z.string(), kind: entryKind })),
  /** The author, the uploader of the current version, the assignee of a task, who created the playlist, or the person. */
  account: z.nullable(z.looseObject({ id, username: z.string() })),
  /** When it was written or created; of a file, when the current version was uploaded. */
  time: timestamp,
  /** Files only; 0 if unknown. */
  bpm: z.optional(z.number()),
  /** Files only. */
  key: z.optional(z.nullable(z.string())),
  /** Files only. */
  status: z.optional(z.nullable(fileStatus)),
  /** Tasks only. */
  closed: z.optional(z.boolean()),
  /** Comments only: null for a comment on the whole file. */
  position_ms: z.optional(z.nullable(z.int())),
  /** Pages of documents, lyrics and notes only. */
  page: z.optional(z.int()),
  page_label: z.optional(z.string()),
});
export type SearchResult = z.infer<typeof searchResult>;

/** Results of one kind: of projects, people, files and playlists the best names first, and then newest first. Pass `next_cursor` as `cursor` together with the kind to read on. */
export const searchGroup = z.looseObject({ kind: z.enum(SEARCH_KINDS), results: z.array(searchResult), next_cursor: z.nullable(z.string()) });
export type SearchGroup = z.infer<typeof searchGroup>;
