import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { list, operation, page, pageQuery, single } from "../define-operation.ts";
import { uploadedLocation } from "../file-records.ts";
import { fileCommon, fileInfoResponse, fileRecord, fileVersion, peaksInfo, signedUrl, statusChange } from "../records.ts";
import { withDescription, id, idInPath, line, dateTime, text, searchText } from "../text.ts";

const params = z.object({ file_id: idInPath });
const fileName = line(255);
const TOO_LARGE = "The file is larger than is allowed, or exceeds the storage that is left.";
const IF_STATUS_DESCRIPTION =
  "the status that the file should have now, null for none: if somebody has set another one meanwhile, the response is a 409 with that status";

/** Service document 4.2. */
export const getFileInfo = operation({
  method: "POST",
  path: "/v1/files/get_info",
  group: "Files",
  summary: "Get file info",
  source: "documented",
  scope: "files:read",
  rule: "file.read",
  body: z.object({ file_id: id, version: withDescription(z.optional(id), "extension: as this version has them; by default the newest") }),
  response: fileInfoResponse,
});
export const listFolder = operation({
  method: "POST",
  path: "/v1/files/ls",
  group: "Files",
  summary: "List a folder in pages, folders first, by name",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  cost: 3,
  body: z.object({
    file_id: id,
    cursor: withDescription(z.optional(z.string().check(z.maxLength(2_000))), "`next_cursor` of the page before"),
    limit: withDescription(z.optional(z.nullable(z.int().check(z.positive()))), `default and most: ${LIMITS.files_page_max}`),
  }),
  response: z.looseObject({ ...page(fileRecord).shape, has_more: z.boolean() }),
});
export const findFiles = operation({
  method: "POST",
  path: "/v1/files/find",
  group: "Files",
  summary: "Find a team's files by words, name, tag, status or date, newest first",
  source: "extension",
  scope: "files:read",
  rule: "team.read",
  cost: 5,
  body: z.object({
    team_id: id,
    group_id: z.optional(z.nullable(id)),
    query: withDescription(z.optional(searchText(LIMITS.search_characters)), "the name contains it; case and accents do not matter"),
    name: withDescription(z.optional(fileName), "the whole name; case does not matter"),
    tag: withDescription(z.optional(line(100)), "a recognized genre, mood or instrument, as in the record"),
    status_id: withDescription(z.optional(z.nullable(id)), "null: files without a status"),
    start_date: withDescription(z.optional(dateTime), "uploaded at or after"),
    end_date: withDescription(z.optional(dateTime), "uploaded before"),
    limit: z.optional(z.nullable(z.int().check(z.positive()))),
    offset: z.optional(z.nullable(z.int().check(z.nonnegative()))),
  }),
  response: list(fileRecord),
});
export const createFolder = operation({
  method: "POST",
  path: "/v1/files/mkdir",
  group: "Files",
  feature: "files-view",
  summary: "Create a folder",
  source: "extension",
  scope: "files:write",
  rule: "file.create",
  body: z.object({
    name: fileName,
    parent_id: id,
    removal_protection: z.optional(z.boolean()),
    task_load_protection: z.optional(z.boolean()),
  }),
  response: single("file", fileRecord),
  idempotent: true,
  errors: { 409: "The name is taken in this folder, the folders would be nested too deeply, or the project has as many folders as it can have." },
});
export const getFolderUrl = operation({
  method: "POST",
  path: "/v1/files/get_folder_url",
  group: "Files",
  summary: "The URL that opens a folder in Talkback",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  body: z.object({ file_id: id }),
  response: single("folder_url", z.looseObject({ url: z.string() })),
});
export const updateFolder = operation({
  method: "POST",
  path: "/v1/files/update_folder",
  group: "Files",
  summary: "Change a folder's name or protections",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.edit",
  body: z.object({
    file_id: id,
    name: z.optional(fileName),
    removal_protection: z.optional(z.boolean()),
    task_load_protection: z.optional(z.boolean()),
  }),
  response: single("file", fileRecord),
  errors: { 409: "The name is taken in this folder." },
});
export const renameFile = operation({
  method: "POST",
  path: "/v1/files/rename",
  group: "Files",
  summary: "Rename a file or folder",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.rename",
  body: z.object({ file_id: id, name: fileName }),
  response: single("file", fileRecord),
  errors: { 409: "The name is taken in this folder." },
});
export const deleteFile = operation({
  method: "POST",
  path: "/v1/files/delete",
  group: "Files",
  summary: "Delete a file, or a folder with all that is in it; rejected with 409 if it, or anything in it, is protected",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.delete",
  cost: 10,
  body: z.object({ file_id: id, unless_sent: withDescription(z.optional(z.boolean()), "rejected with 409 if a message carries it") }),
  response: single("file", fileRecord),
  errors: { 409: "The entry, or anything in it, is protected; with `unless_sent`: a message carries it." },
});
export const uploadExternal = operation({
  method: "POST",
  path: "/v1/files/upload_external",
  group: "Files",
  summary: "Fetch a file from a public https address",
  source: "extension",
  scope: "files:write",
  rule: "file.create",
  cost: 30,
  waits: true,
  body: z.object({ url: z.string().check(z.maxLength(2_048)), parent_id: id, name: z.optional(fileName) }),
  response: z.looseObject({ file_id: id }),
  idempotent: true,
  errors: { 413: TOO_LARGE },
});
export const generateTags = operation({
  method: "POST",
  path: "/v1/files/generate_tags",
  group: "Files",
  summary: "Run tempo, key and tagging again",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.process",
  cost: 30,
  body: z.object({ file_id: id }),
  response: single("file", fileCommon),
  errors: { 409: "The file is being processed." },
});
export const setFileStatus = operation({
  method: "POST",
  path: "/v1/files/set_status",
  group: "Files",
  summary: "Set a file's status; sends file.status_changed if it really changed",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.status",
  body: z.object({
    file_id: id,
    status_id: id,
    note: z.optional(text(2_000)),
    if_status_id: withDescription(z.optional(z.nullable(id)), IF_STATUS_DESCRIPTION),
  }),
  response: single("file", fileCommon),
  errors: { 409: "The file has another status than `if_status_id` says; `current_status` is the one that it has." },
});

export const listStatusChanges = operation({
  method: "GET",
  path: "/api/v2/files/{file_id}/status-history",
  group: "Files",
  feature: "statuses",
  summary: "Who set which status when, newest first",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  params,
  query: pageQuery,
  response: page(statusChange),
});
export const listVersions = operation({
  method: "GET",
  path: "/api/v2/files/{file_id}/versions",
  group: "Files",
  summary: "A file's versions, newest first, in pages",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  params,
  query: pageQuery,
  response: page(fileVersion),
});
/** Adds a version with the bytes of an earlier one, as if it were uploaded again; the status may go back, see new_version_resets_status of the team. */
export const restoreVersion = operation({
  method: "POST",
  path: "/api/v2/files/{file_id}/versions/{number}/restore",
  group: "Files",
  summary: "Make an earlier version the current one, as a new version",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.add_version",
  cost: 10,
  params: z.object({ file_id: idInPath, number: idInPath }),
  response: single("file", fileCommon),
  idempotent: true,
  errors: { 409: "It is the current version already, or has the same bytes." },
});
export const getPeaks = operation({
  method: "GET",
  path: "/api/v2/files/{file_id}/peaks",
  group: "Files",
  summary: "The levels of a version's peaks; each level's bytes (audiowaveform .dat v2) are at its url, with ranges",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  params,
  query: z.object({ version: z.optional(idInPath) }),
  response: single("peaks", peaksInfo),
});
export const retryProcessing = operation({
  method: "POST",
  path: "/api/v2/files/{file_id}/process",
  group: "Files",
  summary: "Process the current version again",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.process",
  cost: 30,
  params,
  response: single("file", fileCommon),
  errors: { 409: "The file is being processed." },
});
const variant = z.enum(["original", "compressed", "still", "thumbnail"]);
export const createSignedUrl = operation({
  method: "POST",
  path: "/api/v2/files/{file_id}/signed-url",
  group: "Files",
  summary: "A URL of the file's bytes that works without signing in, for a while; it ends with the session or token that creates it",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  cost: 5,
  params,
  body: z.object({
    version: z.optional(id),
    variant: z.optional(variant),
    expires_in: withDescription(
      z.optional(z.int().check(z.minimum(60), z.maximum(604_800))),
      "seconds, default 3600; rounded up to the hour, but no longer than the session or token",
    ),
  }),
  response: single("signed_url", signedUrl),
});

/** The body streams to disk as it arrives; its length is checked against `Content-Length`. */
export const uploadFile = operation({
  method: "PUT",
  path: "/v1/files/upload",
  group: "Files",
  summary: "Upload a file's bytes as application/octet-stream; a name that is taken gets a number",
  source: "extension",
  scope: "files:write",
  rule: "file.create",
  furtherRules: ["file.add_version"],
  cost: 3,
  query: z.object({
    parent_id: withDescription(z.optional(idInPath), "the folder; not needed with version_of"),
    name: withDescription(z.optional(fileName), "not needed with version_of"),
    version_of: withDescription(z.optional(idInPath), "the file that gets a new version; its status may go back, see new_version_resets_status of its team"),
  }),
  response: z.looseObject({ file_id: id, version: z.int() }),
  bytes: "body",
  idempotent: true,
  errors: { 413: TOO_LARGE },
});
const versionParams = z.object({ file_id: idInPath, number: idInPath });
export const getContent = operation({
  method: "GET",
  path: "/api/v2/files/{file_id}/versions/{number}/{variant}",
  group: "Files",
  summary: "A version's bytes, with ranges; `?download=1` to save instead of show",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  params: z.object({ ...versionParams.shape, variant }),
  query: z.object({ download: z.optional(z.string()) }),
  response: null,
  bytes: "media",
});
export const getPeaksLevel = operation({
  method: "GET",
  path: "/api/v2/files/{file_id}/versions/{number}/peaks/{level}",
  group: "Files",
  summary: "One level of a version's peaks (audiowaveform .dat v2), with ranges",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  params: z.object({ ...versionParams.shape, level: z.pipe(z.string().check(z.regex(/^\d{1,2}$/, "must be a level")), z.transform(Number)) }),
  response: null,
  bytes: "peaks",
});
export const getSignedContent = operation({
  method: "GET",
  path: "/api/v2/media/{token}",
  group: "Files",
  summary: "A version's bytes by a signed URL; `?download=1` to save instead of show",
  source: "extension",
  scope: null,
  rule: "open",
  params: z.object({ token: z.string().check(z.maxLength(400)) }),
  query: z.object({ download: z.optional(z.string()) }),
  response: null,
  bytes: "media",
});

/** tus 1.0 (https://tus.io): POST creates an upload, PATCH and HEAD on its URL continue it, DELETE cancels it. */
export const createUpload = operation({
  method: "POST",
  path: "/api/v2/uploads",
  group: "Files",
  feature: "uploads",
  summary:
    'Begin a resumable upload (tus 1.0). Upload-Metadata: name, and project_id (into the chat\'s folder), parent_id or version_of; with parent_id also path ("Stems/Drums": folders below it, made where they are missing)',
  source: "extension",
  scope: "files:write",
  rule: "file.create",
  furtherRules: ["file.add_version"],
  cost: 3,
  response: null,
  bytes: "tus",
  errors: {
    404: "The project, folder or file is unknown, or not visible to you.",
    409: "The project is archived, you have too many unfinished uploads, the folders would be nested too deeply, or the project would have too many folders.",
    413: TOO_LARGE,
  },
});
export const getUpload = operation({
  method: "GET",
  path: "/api/v2/uploads/{upload_id}/result",
  group: "Files",
  feature: "uploads",
  summary: "State of a resumable upload: file_id once all bytes are there",
  source: "extension",
  scope: "files:write",
  rule: "file.create",
  params: z.object({ upload_id: z.string().check(z.regex(/^[0-9a-f]{32}$/, "must be an upload id")) }),
  response: single(
    "upload",
    z.looseObject({
      id: z.string(),
      size: z.int(),
      file_id: z.nullable(id),
      version: z.nullable(z.int()),
      landed: withDescription(uploadedLocation, "once all bytes are there"),
    }),
  ),
  errors: { 409: "The project has no folder, or is archived.", 413: TOO_LARGE },
});
