/** Operations of the files view: listings, folders, facets, and bulk actions. */
import * as z from "zod/mini";
import { list, operation, page, single } from "../define-operation.ts";
import { FILE_SORTS } from "../file-order.ts";
import { deletedEntry, deletion, fileEntry, fileFacets } from "../file-records.ts";
import { LIMITS } from "../limits.ts";
import { metadataFilter } from "../metadata-filter.ts";
import { commaSeparated, withDescription, id, idInPath, line, dateTime, limitInQuery, searchText } from "../text.ts";

const params = z.object({ project_id: idInPath });

const ID_PATTERN = "[1-9]\\d{0,14}";
const bpmBound = z.pipe(z.string().check(z.regex(/^\d{1,3}(\.\d{1,3})?$/, "must be a number of beats per minute")), z.transform(Number));
const fileIds = z.array(id).check(z.minLength(1), z.maxLength(LIMITS.files_per_request));
const fileIdsBody = z.object({ file_ids: fileIds });

const fileCursor = z.optional(z.string().check(z.maxLength(2_000)));

/**
 * The time for a page of one folder, or of the whole project, does not depend on the number of entries, unless a filter matches almost nothing and therefore
 * scans them all. A recursive listing of another folder collects all its files for each page.
 * An entry that exists throughout the paging and keeps its position in the order is returned exactly once.
 */
export const listFiles = operation({
  method: "GET",
  path: "/api/v2/projects/{project_id}/files",
  group: "Files",
  feature: "files-view",
  summary: "List a folder, or all that is below it: filtered, sorted, in pages. By name folders come first",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  cost: 3,
  params,
  query: z.object({
    folder_id: withDescription(z.optional(idInPath), "default: the project's root folder"),
    deep: withDescription(z.optional(z.enum(["true", "false"])), "true: everything below, each with its path"),
    q: withDescription(z.optional(searchText(LIMITS.search_characters)), "the name contains it; case and accents do not matter"),
    kind: withDescription(z.optional(commaSeparated("folder|audio|video|image|document", "a kind")), "folder, audio, video, image or document"),
    status_id: withDescription(z.optional(commaSeparated(`none|${ID_PATTERN}`, "a status's id or none")), "ids of statuses; none: files without one"),
    bpm_min: z.optional(bpmBound),
    bpm_max: z.optional(bpmBound),
    key: withDescription(z.optional(line(40)), 'as in the record: "A minor"'),
    tag: z.optional(line(100)),
    uploader: withDescription(z.optional(commaSeparated(ID_PATTERN, "an account's id")), "ids of accounts: who uploaded the current version"),
    from: withDescription(z.optional(dateTime), "changed at or after"),
    to: withDescription(z.optional(dateTime), "changed before"),
    fields: withDescription(
      z.optional(commaSeparated(ID_PATTERN, "a metadata field's id")),
      `metadata fields whose values the entries show; at most ${LIMITS.metadata_columns}`,
    ),
    metadata: withDescription(
      z.optional(metadataFilter),
      'conditions on metadata fields as JSON: [{"field_id": 1, "op": "is" | "contains" | "one_of" | "range" | "empty" | "not_empty", "value" | "values" | "min" and "max"}]',
    ),
    sort_field_id: withDescription(z.optional(idInPath), "sorts by this metadata field instead; files without a value come last in both directions, by name"),
    sort: withDescription(z.optional(z.enum(FILE_SORTS)), "default: name. What has no size, length, tempo or status comes last in both directions"),
    order: withDescription(z.optional(z.enum(["asc", "desc"])), "default: asc"),
    cursor: fileCursor,
    limit: withDescription(z.optional(limitInQuery), "default 100, at most 500; a page may end earlier, at about 1 MB"),
  }),
  response: page(fileEntry),
});
export const listFolders = operation({
  method: "GET",
  path: "/api/v2/projects/{project_id}/folders",
  group: "Files",
  feature: "files-view",
  summary: "The folders of a project with their parents, in pages: the root folder first, then by name",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  cost: 5,
  params,
  query: z.object({ cursor: fileCursor, limit: withDescription(z.optional(limitInQuery), `default and most: ${LIMITS.files_page_max}`) }),
  response: page(fileEntry),
});
export const getFileFacets = operation({
  method: "GET",
  path: "/api/v2/projects/{project_id}/file-facets",
  group: "Files",
  feature: "files-view",
  summary: "Filter values of a project's files: kinds, statuses, keys, tags and uploaders with counts, and the range of tempi",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  cost: 5,
  params,
  query: z.object({ folder_id: withDescription(z.optional(idInPath), "only what is in this folder, at any depth; default: the whole project") }),
  response: single("file_facets", fileFacets),
});

/** A protected entry cannot be moved out of its folder (409), but that folder can be moved with it. */
export const moveFiles = operation({
  method: "POST",
  path: "/api/v2/files/move",
  group: "Files",
  feature: "files-view",
  summary: "Move files and folders of a project into one of its folders: all or nothing. What lies in one of them goes along with it",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.move",
  cost: 10,
  body: z.object({ file_ids: fileIds, parent_id: id }),
  response: list(fileEntry),
  errors: { 409: "The folder has entries with these names, an entry is protected, or the folders would be nested too deeply." },
});
export const deleteFiles = operation({
  method: "POST",
  path: "/api/v2/files/delete",
  group: "Files",
  feature: "files-view",
  summary: "Delete files, and folders with all that is in them: all or nothing; rejected with 409 if one of them, or anything in them, is protected",
  source: "extension",
  scope: "files:write",
  rule: "file.delete",
  cost: 10,
  body: fileIdsBody,
  response: single("deletion", deletion),
  idempotent: true,
  errors: { 409: "One of the entries, or anything in them, is protected." },
});
/** One entry for each selection that was deleted. What was deleted with a folder is in the folder. Guests see only what they added. */
export const listDeletedFiles = operation({
  method: "GET",
  path: "/api/v2/projects/{project_id}/deleted-files",
  group: "Files",
  feature: "files-view",
  summary: "What was deleted in the last 30 days and can be restored; last deleted first, in pages",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  cost: 3,
  params,
  query: z.object({ cursor: z.optional(z.string().check(z.maxLength(200))), limit: withDescription(z.optional(limitInQuery), "default and most: 200") }),
  response: page(deletedEntry),
});
export const getDeletedFile = operation({
  method: "GET",
  path: "/api/v2/files/{file_id}/deleted",
  group: "Files",
  feature: "files-view",
  summary: "A deleted file or folder that you may restore",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  params: z.object({ file_id: idInPath }),
  response: single("deleted_file", deletedEntry),
});
/** If the original folder is gone, an entry goes into the nearest existing ancestor; if its name is taken, it gets a number. */
export const restoreFiles = operation({
  method: "POST",
  path: "/api/v2/files/restore",
  group: "Files",
  feature: "files-view",
  summary: "Restore what was deleted in the last 30 days; each id brings back all that was deleted with it",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.restore",
  cost: 10,
  body: fileIdsBody,
  response: list(fileEntry),
  errors: { 409: "The folders would be nested too deeply, or the project would have too many folders." },
});
export const updateFile = operation({
  method: "PATCH",
  path: "/api/v2/files/{file_id}",
  group: "Files",
  feature: "files-view",
  summary: "Change a file's or folder's name or protections",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.edit",
  params: z.object({ file_id: idInPath }),
  body: z.object({
    name: z.optional(line(255)),
    removal_protection: z.optional(z.boolean()),
    task_load_protection: z.optional(z.boolean()),
  }),
  response: single("file", fileEntry),
  errors: { 409: "The name is taken in this folder." },
});
/**
 * Entries are stored uncompressed and `Content-Length` is exact. An error while sending breaks the connection, so that a truncated archive never
 * looks complete.
 */
export const getArchive = operation({
  method: "GET",
  path: "/api/v2/files/archive",
  group: "Files",
  feature: "files-view",
  summary: "Files and folders as one zip; folders with everything in them, and the zip is made while it is sent",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  cost: 20,
  query: z.object({
    ids: withDescription(
      z
        .pipe(
          commaSeparated(ID_PATTERN, "a file's id"),
          z.transform((ids) => ids.map(Number)),
        )
        .check(z.maxLength(LIMITS.files_per_request)),
      "ids of files and folders",
    ),
    name: withDescription(z.optional(line(255)), "what the zip is called; default: as the one thing in it, else as the folder"),
  }),
  response: null,
  bytes: "zip",
});
