import * as z from "zod/mini";
import { operation, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { MUSIC_KEYS } from "../music-keys.ts";
import { fileCommon, fileInfoResponse } from "../records.ts";
import { withDescription, idInPath } from "../text.ts";

const params = z.object({ file_id: idInPath });

/** A correction persists on the file through new versions and repeated analysis. */
export const correctTags = operation({
  method: "PATCH",
  path: "/api/v2/files/{file_id}/tags",
  group: "Files",
  summary: "Correct tempo or key of an audio file manually; null goes back to what the analysis found. Returns the file's info",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.tags",
  params,
  body: z.object({
    bpm: withDescription(z.optional(z.nullable(z.number().check(z.minimum(LIMITS.bpm_min), z.maximum(LIMITS.bpm_max)))), "beats per minute"),
    key: withDescription(z.optional(z.nullable(z.enum(MUSIC_KEYS))), 'such as "A minor"'),
  }),
  response: fileInfoResponse,
  errors: { 409: "The file is no audio file, or is not analyzed yet." },
});
/** v2 of `/v1/files/generate_tags`. */
export const regenerateTags = operation({
  method: "POST",
  path: "/api/v2/files/{file_id}/generate-tags",
  group: "Files",
  summary: "Run tempo, key and tagging again; what was corrected manually stays",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "file.process",
  cost: 30,
  params,
  response: single("file", fileCommon),
  errors: { 409: "The file is being processed." },
});
