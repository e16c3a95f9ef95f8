/** Wire records of files and folders in the files view: the documented file record plus the fields to sort and filter by. */
import * as z from "zod/mini";
import { metadataValues } from "./metadata-records.ts";
import { fileRecord, fileStatus } from "./records.ts";
import { id, timestamp } from "./text.ts";

export const ENTRY_KINDS = ["folder", "audio", "video", "image", "document"] as const;
export const entryKind = z.enum(ENTRY_KINDS);
export type EntryKind = z.infer<typeof entryKind>;

/** Contains every field that `FILE_SORTS` compares, so that a client can insert a row at its position: see `file-order.ts`. */
export const fileEntry = z.looseObject({
  ...fileRecord.shape,
  kind: entryKind,
  project_id: id,
  /** When the file was first uploaded, or the folder created. */
  created_at: timestamp,
  /**
   * When the current version was uploaded; renaming and moving do not change it. For folders: when the newest thing in them, at any depth, was uploaded or
   * created. A change in a folder emits an event for the entry, not for the folders above it.
   */
  changed_at: timestamp,
  /** Who uploaded the current version; for folders, who created them. */
  account_id: id,
  /** Who first uploaded the file, or created the folder: what the policy counts as the owner. Stored events of earlier versions lack it. */
  created_by_account_id: z.optional(id),
  /** Number of the current version; 0 for folders. */
  version: z.int(),
  /** Seconds; 0 if there is none or it is not known yet. */
  duration: z.number(),
  /** 0 if unknown. */
  bpm: z.number(),
  /** As with `bpm`, a value set by hand takes precedence over the analyzed one. */
  key: z.nullable(z.string()),
  /** The most likely key if the analysis is not sure; absent if `key` is set. Filters find only `key`. */
  unsure_key: z.optional(z.string()),
  /** Recognized genres, moods and instruments, most certain first. */
  tags: z.array(z.string()),
  status: z.nullable(fileStatus),
  transcoding_status: z.string(),
  /** Why processing failed, as readable text; null unless it failed. */
  failure: z.nullable(z.string()),
  thumbnail_url: z.nullable(z.string()),
  /** Audio only: about 100 values, 0 to 1. */
  wave: z.optional(z.array(z.number())),
  /** Folders only: number of direct children, counted up to 1,000. Adding or removing a child emits an event for the child, not for the folder. */
  item_count: z.optional(z.int()),
  /** Increases with each change: of two records, the one with the higher revision is newer. */
  revision: z.int(),
  /** Depends on the reader: set for files in listings, omitted in live events and in responses to changes. Clients keep the known value. */
  has_unread_comments: z.optional(z.boolean()),
  /** In listings that ask for metadata columns: the values by field id, of those columns that have one. */
  metadata: z.optional(metadataValues),
  /** In recursive listings: the folders in between, such as "Stems/Drums"; "" for a direct child. */
  path: z.optional(z.string()),
});
export type FileEntry = z.infer<typeof fileEntry>;

const count = z.int();
/** Filter values that occur in a project's files with their counts, most frequent first. */
export const fileFacets = z.looseObject({
  kinds: z.array(z.looseObject({ kind: entryKind, count })),
  /** In the order of the team's statuses. null: files without a status. */
  statuses: z.array(z.looseObject({ status: z.nullable(fileStatus), count })),
  keys: z.array(z.looseObject({ key: z.string(), count })),
  /** The 200 most frequent. */
  tags: z.array(z.looseObject({ tag: z.string(), count })),
  uploaders: z.array(z.looseObject({ account_id: id, count })),
  /** null if no file has a known tempo. */
  bpm: z.nullable(z.looseObject({ min: z.number(), max: z.number() })),
});
export type FileFacets = z.infer<typeof fileFacets>;

/** `count` includes the contents of folders. Until `restorable_until` the same ids restore everything; no listing contains them. */
export const deletion = z.looseObject({ file_ids: z.array(id), count, restorable_until: timestamp });
export type Deletion = z.infer<typeof deletion>;

/** What was deleted and can still be restored. */
export const deletedEntry = z.looseObject({
  ...fileEntry.shape,
  deleted_at: timestamp,
  /** null: unknown. */
  deleted_by_account_id: z.nullable(id),
  restorable_until: timestamp,
  /** The folders in which it was, such as "Mixes/Stems"; "" for the root. They may be deleted as well. */
  location: z.string(),
  /** Number of files and folders that were deleted in it and come back with it. */
  contained_count: z.int(),
});
export type DeletedEntry = z.infer<typeof deletedEntry>;

/** Current name and folder of an uploaded file, which may have been renamed since; null if it was deleted since. */
export const uploadedLocation = z.optional(z.nullable(z.looseObject({ name: z.string(), folder_id: id, folder_name: z.string() })));
/** Response to the request with an upload's last byte. */
export const uploadResponse = z.looseObject({ file_id: id, version: z.int(), landed: uploadedLocation });
