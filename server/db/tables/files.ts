/** Tables of files, their versions, uploads and stored bytes. */
import type { Generated } from "kysely";
import type { EntryKind } from "../../../contract/file-records.ts";
import type { Flag } from "./flag.ts";

export type FileKind = "audio" | "video" | "image" | "document";
export type TranscodingStatus = "waiting" | "transcoding" | "transcoded" | "failed";

export interface FileTables {
  blobs: { key: string; organisation_id: number; size: number; sha256: string; created_at: number; deleted_at: number | null };
  files: {
    id: Generated<number>;
    project_id: number;
    /** null: the project's root folder. */
    parent_id: number | null;
    is_folder: Flag;
    name: string;
    /** The name, Unicode-normalized and lower-cased; unique among the folder's entries that are not deleted. */
    name_key: string;
    removal_protection: Generated<Flag>;
    task_load_protection: Generated<Flag>;
    status_id: number | null;
    /** The current version; null for folders. */
    version_id: number | null;
    revision: Generated<number>;
    /** Increases with each change of the file's metadata. */
    metadata_revision: Generated<number>;
    created_by: number;
    created_at: number;
    deleted_at: number | null;
    deleted_by: number | null;
    /** The deleted entry whose deletion included this one; the entry's own id if it was deleted directly. Set while deleted. */
    deleted_with: Generated<number | null>;
    /** Derived from the name by `contract/file-order.ts`: the text that searches match, and the key of the natural order. */
    folded_name: Generated<string>;
    order_key: Generated<string>;
    /** Copied from the current version for filtering and sorting; `modules/files/entry-rows.ts` keeps them in sync. Unknown values are 0, null or "[]". */
    kind: Generated<EntryKind>;
    size: Generated<number>;
    duration: Generated<number>;
    bpm: Generated<number>;
    music_key: Generated<string | null>;
    /** The most likely key if the analysis is not sure of it and nobody has set one. Filters and facets ignore it. */
    unsure_key: Generated<string | null>;
    /** JSON list, most certain first. */
    tags: Generated<string>;
    /** Of folders, the date of the newest thing in them, at any depth; `modules/files/folder-dates.ts` keeps it. */
    changed_at: Generated<number>;
    uploader_id: Generated<number>;
    /** The status's position; -1 without a status. Every change of positions must update it. */
    status_rank: Generated<number>;
    /** Set by hand; null: the result of the analysis applies. */
    corrected_bpm: Generated<number | null>;
    corrected_key: Generated<string | null>;
  };
  /** The tags of `files` as rows, for filtering and counting. */
  file_tags: { project_id: number; tag: string; file_id: number };
  file_versions: {
    id: Generated<number>;
    file_id: number;
    number: number;
    blob_key: string;
    size: number;
    kind: Generated<FileKind>;
    media_type: Generated<string>;
    transcoding_status: Generated<TranscodingStatus>;
    /** Why processing failed, as readable text. */
    failure: string | null;
    /** JSON list of steps that a later run of the job skips. */
    steps_done: Generated<string>;
    /** In seconds, measured by decoding. */
    duration: number | null;
    /** JSON, null until its step has run: `music` and `labels` write `tags`, `peaks` writes `wave` and `short_wave`, the others are named after their step. */
    probe: string | null;
    loudness: string | null;
    tags: string | null;
    wave: string | null;
    short_wave: string | null;
    peaks: string | null;
    compressed_key: string | null;
    /** Media type of the streaming copy. */
    compressed_type: string | null;
    still_key: string | null;
    thumbnail_key: string | null;
    created_by: number;
    created_at: number;
  };
  status_changes: {
    id: Generated<number>;
    file_id: number;
    old_status_id: number | null;
    new_status_id: number;
    note: string;
    account_id: number;
    created_at: number;
  };
  /** The sizes of an organization's blobs that are not deleted, in all; `modules/files/blob-rows.ts` keeps it. */
  stored_bytes: { organisation_id: number; bytes: number };
  /** Quota that uploads hold until their bytes are recorded. `id`: of a resumable upload, or random. */
  upload_reservations: { id: string; organisation_id: number; bytes: number; expires_at: number };
  uploads: { id: string; account_id: number; destination: string; size: number; file_id: number | null; version: number | null; created_at: number };
}
