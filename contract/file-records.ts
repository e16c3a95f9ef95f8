/** Files and folders as the files view shows them: the documented-style record of a file with what one sorts and filters by. */
import * as z from "zod/mini";
import { fileRecord, fileStatus } from "./records.ts";
import { id, timestamp } from "./text.ts";

export const ENTRY_KINDS = ["folder", "audio", "video", "image", "document"] as const;
export const entryKind = z.enum(ENTRY_KINDS);
export type EntryKind = z.infer<typeof entryKind>;

/** What `FILE_SORTS` compares comes out of the record itself, so that a client can put a row in its place: see `file-order.ts`. */
export const fileEntry = z.looseObject({
  ...fileRecord.shape,
  kind: entryKind,
  project_id: id,
  /** When the file was first uploaded, or the folder made. */
  created_at: timestamp,
  /** When the current version was uploaded; a new name or place changes nothing about it. Of folders: when they were made. */
  changed_at: timestamp,
  /** Who uploaded the current version; of folders who made them. */
  account_id: id,
  /** Number of the current version; 0 for folders. */
  version: z.int(),
  /** Seconds; 0 where there is none, or it is not known yet. */
  duration: z.number(),
  /** 0: not known. */
  bpm: z.number(),
  /** As `bpm`, where somebody has put it right by hand: so. */
  key: z.nullable(z.string()),
  /** Genres, moods and instruments that were recognised, the surest first. */
  tags: z.array(z.string()),
  status: z.nullable(fileStatus),
  transcoding_status: z.string(),
  /** Why processing failed, in words; null unless it has. */
  failure: z.nullable(z.string()),
  thumbnail_url: z.nullable(z.string()),
  /** Of audio: about 100 values, 0 to 1. */
  wave: z.optional(z.array(z.number())),
  /** Of folders: how many files and folders lie in it, not counting what lies deeper; stops at 1,000. What comes and goes tells of itself, not of its folder. */
  item_count: z.optional(z.int()),
  /** Grows with each change: of two records the one with the higher revision is the newer. */
  revision: z.int(),
  /** Of the reader. Left out where a record is the same for everybody: in live events and in answers to changes. */
  has_unread_comments: z.optional(z.boolean()),
  /** In listings of everything below a folder: the folders between, as "Stems/Drums"; "" directly in it. */
  path: z.optional(z.string()),
});
export type FileEntry = z.infer<typeof fileEntry>;

const count = z.int();
/** What occurs in a project's files, each with how many there are, the most frequent first. */
export const fileFacets = z.looseObject({
  kinds: z.array(z.looseObject({ kind: entryKind, count })),
  /** null: files without a status. In the order of the team's statuses. */
  statuses: z.array(z.looseObject({ status: z.nullable(fileStatus), count })),
  keys: z.array(z.looseObject({ key: z.string(), count })),
  /** The 200 most frequent. */
  tags: z.array(z.looseObject({ tag: z.string(), count })),
  uploaders: z.array(z.looseObject({ account_id: id, count })),
  /** null: no tempo is known of any file. */
  bpm: z.nullable(z.looseObject({ min: z.number(), max: z.number() })),
});
export type FileFacets = z.infer<typeof fileFacets>;

/** `count`: with all that lay in them. Until `restorable_until` the same ids bring it all back; nothing lists them later. */
export const deletion = z.looseObject({ file_ids: z.array(id), count, restorable_until: timestamp });
export type Deletion = z.infer<typeof deletion>;

/** An uploaded file's name and folder now, which another name or a deletion may have changed; null where it is deleted since. */
export const uploadedLocation = z.optional(z.nullable(z.looseObject({ name: z.string(), folder_id: id, folder_name: z.string() })));
/** What the request with an upload's last byte answers. */
export const uploadResponse = z.looseObject({ file_id: id, version: z.int(), landed: uploadedLocation });
