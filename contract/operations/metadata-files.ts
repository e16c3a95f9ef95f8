/** Operations that carry metadata in files: CSV, and downloads with tags. */
import * as z from "zod/mini";
import { operation, single } from "../define-operation.ts";
import { metadataImport } from "../metadata-records.ts";
import { LIMITS } from "../limits.ts";
import { idInPath, withDescription } from "../text.ts";
import { getArchive } from "./files-view.ts";

const params = z.object({ project_id: idInPath });

/**
 * RFC 4180 in UTF-8 with a byte order mark: "File ID", "Path", "Name", then a column for each field. A cell that a spreadsheet would take for a formula, because
 * it begins with =, +, -, @, a tab or a line break, begins with an apostrophe, which the import removes; numbers of number fields are left as they are.
 */
export const exportMetadata = operation({
  method: "GET",
  path: "/api/v2/projects/{project_id}/metadata.csv",
  group: "Metadata",
  summary: "The metadata of a project's files as CSV; with `folder_id` of a folder and all that is below it",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  cost: 20,
  params,
  query: z.object({ folder_id: withDescription(z.optional(idInPath), "default: the whole project") }),
  response: null,
  bytes: "csv",
});
export const importMetadata = operation({
  method: "POST",
  path: "/api/v2/projects/{project_id}/metadata-import",
  group: "Metadata",
  summary: `Set the metadata of a project's files from CSV, all or none: files by "File ID" or else "Path", an empty cell removes the value, and fields without a column keep theirs. At most ${LIMITS.metadata_csv_rows} rows`,
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "metadata.edit",
  cost: 30,
  params,
  query: z.object({
    dry_run: withDescription(z.optional(z.enum(["true", "false"])), "true: only says what would change"),
    if_digest: withDescription(
      z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
      "the `digest` of a dry run of the same table: a 409 if it would change something else by now",
    ),
  }),
  response: single("metadata_import", metadataImport),
  bytes: "body",
  mediaType: "text/csv",
  errors: {
    403: "Guests change only files that they added: `errors` names each line that would change another one, and nothing was imported.",
    409: "The table would change something else than the dry run with this `digest` has listed. Nothing was imported.",
    413: `The body is larger than ${LIMITS.metadata_csv_bytes / 1_000_000} MB.`,
  },
});
export const downloadWithMetadata = operation({
  method: "GET",
  path: "/api/v2/files/{file_id}/download-with-metadata",
  group: "Metadata",
  summary:
    "A copy of the file whose tags have the values of fields with a tag; its audio data and everything else in it stay as they are, and the stored file is not changed. For WAV, AIFF, MP3, FLAC, Ogg Vorbis, Opus and M4A",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  cost: 5,
  params: z.object({ file_id: idInPath }),
  query: z.object({ version: withDescription(z.optional(idInPath), "the number of the version; default: the newest") }),
  response: null,
  bytes: "tagged",
  errors: {
    409: "The file has no values to write: none of its fields with a tag has one.",
    415: "Tags cannot be written into files of this format.",
  },
});
/** The text in the zip is "Files without metadata.txt", and has a path on each line. */
export const getArchiveWithMetadata = operation({
  method: "GET",
  path: "/api/v2/files/archive-with-metadata",
  group: "Metadata",
  summary: `Files and folders as one zip, with metadata; audio files have theirs as tags. Files that cannot have it are in the zip as they are, and a text in it names them. At most ${LIMITS.archive_tagged_files} files with metadata`,
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  cost: 30,
  query: getArchive.query,
  response: null,
  bytes: "zip",
  errors: { 409: "None of the files has values to write: none of their fields with a tag has one." },
});
