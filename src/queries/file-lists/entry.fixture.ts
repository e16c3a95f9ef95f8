/** Builds entries and queries for tests: by default processed audio files in folder 1. */
import type { FileEntry } from "../../../contract/file-records.ts";
import { type FileListQuery, NO_FILTER } from "./list-query.ts";

export function buildEntry(id: number, changes: Partial<FileEntry> = {}): FileEntry {
  const { is_folder = false } = changes;
  return {
    object: "file",
    id,
    name: `file ${id}.wav`,
    is_folder,
    parent_id: 1,
    size: is_folder ? 0 : 1_000,
    url: `/api/v2/files/${id}/versions/1/original`,
    removal_protection: false,
    task_load_protection: false,
    team_id: 1,
    kind: is_folder ? "folder" : "audio",
    project_id: 1,
    created_at: "2026-11-17T09:00:00.000Z",
    changed_at: "2026-11-17T09:00:00.000Z",
    account_id: 1,
    version: is_folder ? 0 : 1,
    duration: is_folder ? 0 : 2.5,
    bpm: is_folder ? 0 : 128,
    key: is_folder ? null : "A minor",
    tags: [],
    status: null,
    transcoding_status: "transcoded",
    failure: null,
    thumbnail_url: null,
    revision: 1,
    ...changes,
  };
}

export const buildFolder = (id: number, parent_id: number | null, name: string, changes: Partial<FileEntry> = {}): FileEntry =>
  buildEntry(id, { is_folder: true, kind: "folder", parent_id, name, item_count: 0, ...changes });

/** The folders of a project: "Stems" with "Drums" in it, and "Mixes". */
export const FOLDERS = [buildFolder(1, null, "Project"), buildFolder(2, 1, "Stems"), buildFolder(3, 2, "Drums"), buildFolder(4, 1, "Mixes")];

export const buildListQuery = (changes: Partial<FileListQuery> = {}): FileListQuery => ({
  ...NO_FILTER,
  folderId: 1,
  isFlat: false,
  fields: [],
  sort: "name",
  sortField: null,
  order: "asc",
  ...changes,
});
