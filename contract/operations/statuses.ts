import * as z from "zod/mini";
import { operation, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { fileStatus, fileStatusList, team } from "../records.ts";
import { withDescription, id, idInPath, line } from "../text.ts";

const teamParams = z.object({ team_id: idInPath });
const params = z.object({ status_id: idInPath });
const title = line(LIMITS.file_status_title_characters);
const color = z.int().check(z.nonnegative(), z.maximum(LIMITS.file_status_colors - 1));
const FINAL = "files with this status are finished: guests add no versions to them";
const commonFields = { group: "Teams", source: "extension", scope: "admin", rule: "file_status.manage" } as const;

export const createFileStatus = operation({
  ...commonFields,
  method: "POST",
  path: "/api/v2/teams/{team_id}/file-statuses",
  summary: `Add a file status, at the end; a team has at most ${LIMITS.file_statuses_per_team}`,
  params: teamParams,
  body: z.object({
    title: withDescription(title, "unlike all others of the team, whatever the case"),
    color: withDescription(color, "index into the palette"),
    is_final: withDescription(z.optional(z.boolean()), FINAL),
  }),
  response: single("file_status", fileStatus),
  idempotent: true,
  errors: { 409: "The title is taken, or the team has as many statuses as it can have." },
});
export const updateFileStatus = operation({
  ...commonFields,
  method: "PATCH",
  path: "/api/v2/file-statuses/{status_id}",
  summary: "Change a file status; its title and color change wherever it is shown, and no webhook is sent",
  params,
  body: z.object({ title: z.optional(title), color: z.optional(color), is_final: withDescription(z.optional(z.boolean()), FINAL) }),
  response: single("file_status", fileStatus),
  errors: { 409: "The title is taken." },
});
export const orderFileStatuses = operation({
  ...commonFields,
  method: "PUT",
  path: "/api/v2/teams/{team_id}/file-statuses/order",
  summary: "Reorder a team's file statuses",
  params: teamParams,
  body: z.object({ ids: withDescription(z.array(id).check(z.maxLength(LIMITS.file_statuses_per_team)), "all of them, each once") }),
  response: fileStatusList,
  errors: { 409: "The team's statuses have changed." },
});
/** The replacement is in the query, since a DELETE body may be dropped in transit. */
export const deleteFileStatus = operation({
  ...commonFields,
  method: "DELETE",
  path: "/api/v2/file-statuses/{status_id}",
  summary: "Delete a file status; files that have it get another one instead, and file.status_changed is sent for each",
  params,
  query: z.object({ replacement_id: withDescription(z.optional(idInPath), "needed where files have it (409 otherwise): a status of the same team") }),
  response: fileStatusList,
  errors: { 409: "Files have this status, and no replacement is given." },
});
export const getFileStatusUsage = operation({
  ...commonFields,
  method: "GET",
  path: "/api/v2/file-statuses/{status_id}/usage",
  summary: "How many files have a status",
  params,
  response: single("file_status_usage", z.looseObject({ status_id: id, file_count: z.int() })),
});
export const setDefaultFileStatus = operation({
  ...commonFields,
  method: "PUT",
  path: "/api/v2/teams/{team_id}/default-file-status",
  summary: "The status that new uploads begin with; null: none. For such an upload only file.uploaded is sent",
  params: teamParams,
  body: z.object({ status_id: z.nullable(id) }),
  response: fileStatusList,
});
export const updateTeam = operation({
  ...commonFields,
  method: "PATCH",
  path: "/api/v2/teams/{team_id}",
  summary: "Change a team's settings; a new version resets a file's status to the default for new uploads, or else to the first",
  params: teamParams,
  body: z.object({ new_version_resets_status: z.optional(z.boolean()) }),
  response: single("team", team),
});
