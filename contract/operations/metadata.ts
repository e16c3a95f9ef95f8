/** Operations of metadata: templates, fields and values. CSV and downloads are in `metadata-files.ts`. */
import * as z from "zod/mini";
import { list, operation, page, pageQuery, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import {
  fileMetadata,
  fileMetadataRevision,
  metadataDeletion,
  metadataField,
  metadataFieldType,
  metadataFileKind,
  metadataHelp,
  metadataName,
  metadataSuggestions,
  metadataTag,
  metadataTemplate,
  metadataUsage,
  metadataValue,
} from "../metadata-records.ts";
import { commaSeparated, id, idInPath, line, withDescription } from "../text.ts";

const teamParams = z.object({ team_id: idInPath });
const templateParams = z.object({ template_id: idInPath });
const fieldParams = z.object({ field_id: idInPath });
const fileParams = z.object({ file_id: idInPath });

const kinds = withDescription(
  z.optional(z.nullable(z.array(metadataFileKind).check(z.minLength(1), z.maxLength(4)))),
  "the kinds of files that have its fields; null or left out: all",
);
const optionName = line(LIMITS.metadata_option_characters);
const newOptions = withDescription(
  z.optional(z.array(z.object({ name: optionName })).check(z.maxLength(LIMITS.metadata_options_per_field))),
  "of a choice, in order",
);
const position = withDescription(z.optional(z.int().check(z.minimum(0), z.maximum(1_000))), "its place among the others, from 0");
const tag = withDescription(
  z.optional(z.nullable(metadataTag)),
  "the tag that carries the value in downloads with metadata: title, artist, album, composer, isrc, genre, date, comment, bpm, key, or a name of your own",
);
const newField = z.object({ name: metadataName, type: metadataFieldType, options: newOptions, help: z.optional(metadataHelp), tag });
const FIELDS_FULL = `A template has at most ${LIMITS.metadata_fields_per_template} fields, and a team ${LIMITS.metadata_fields_per_team} with ${LIMITS.metadata_options_per_team} options of choices.`;
const NAME_TAKEN = "The name is taken";

/** Values by field id. */
const fieldId = z.string().check(z.regex(/^[1-9]\d{0,14}$/, "must be a field's id"));
const bounded = z.check<Record<string, unknown>>((context) => {
  if (Object.keys(context.value).length > LIMITS.metadata_values_per_request)
    context.issues.push({ code: "custom", message: `must have at most ${LIMITS.metadata_values_per_request} fields`, input: context.value });
});
const values = withDescription(
  z.record(fieldId, z.nullable(metadataValue)).check(bounded),
  "by field id; null removes the value, and fields that are left out keep theirs",
);
const ifValues = withDescription(
  z.optional(z.record(fieldId, z.nullable(metadataValue)).check(bounded)),
  "by field id: the value that the field should have now, null for none. If somebody has set another one meanwhile, the response is a 409 with `current_values`",
);
const CHANGED_MEANWHILE = "A field has another value than `if_values` says; `current_values` has those of the file.";

const common = { group: "Metadata", source: "extension" } as const;
const manage = { ...common, scope: "admin", rule: "metadata_template.manage" } as const;
const read = { ...common, method: "GET", scope: "files:read" } as const;
const edit = { ...common, method: "PATCH", scope: "files:write", furtherScopes: ["files:read"], rule: "metadata.edit" } as const;

export const listMetadataTemplates = operation({
  ...read,
  path: "/api/v2/teams/{team_id}/metadata-templates",
  summary: "A team's metadata templates with their fields, in order",
  rule: "team.read",
  cost: 2,
  params: teamParams,
  response: list(metadataTemplate),
});
export const createMetadataTemplate = operation({
  ...manage,
  method: "POST",
  path: "/api/v2/teams/{team_id}/metadata-templates",
  summary: "Create a metadata template, empty or with fields; every file of the team's projects has its fields",
  cost: 2,
  params: teamParams,
  body: z.object({ name: metadataName, kinds, fields: z.optional(z.array(newField).check(z.maxLength(LIMITS.metadata_fields_per_template))) }),
  response: single("metadata_template", metadataTemplate),
  idempotent: true,
  errors: { 409: `${NAME_TAKEN}, or the team has as many templates as it can have. ${FIELDS_FULL}` },
});
export const updateMetadataTemplate = operation({
  ...manage,
  method: "PATCH",
  path: "/api/v2/metadata-templates/{template_id}",
  summary: "Change a metadata template's name, kinds of files or position; values of files that it no longer applies to are kept, but not shown",
  params: templateParams,
  body: z.object({ name: z.optional(metadataName), kinds, position }),
  response: single("metadata_template", metadataTemplate),
  errors: { 409: `${NAME_TAKEN}.` },
});
export const getMetadataTemplateUsage = operation({
  ...manage,
  method: "GET",
  path: "/api/v2/metadata-templates/{template_id}/usage",
  summary: "Count what the deletion of a metadata template would take; values and files, also by field and by option",
  cost: 5,
  params: templateParams,
  response: single("metadata_usage", metadataUsage),
});
export const deleteMetadataTemplate = operation({
  ...manage,
  method: "DELETE",
  path: "/api/v2/metadata-templates/{template_id}",
  summary: "Delete a metadata template with its fields and their values; it can be restored for 30 days",
  params: templateParams,
  response: single("metadata_deletion", metadataDeletion),
});
export const restoreMetadataTemplate = operation({
  ...manage,
  method: "POST",
  path: "/api/v2/metadata-templates/{template_id}/restore",
  summary: "Restore a metadata template with its values; possible for 30 days after its deletion",
  params: templateParams,
  response: single("metadata_template", metadataTemplate),
  errors: { 409: `${NAME_TAKEN} meanwhile, or the team has as many templates as it can have. ${FIELDS_FULL}` },
});
export const createMetadataField = operation({
  ...manage,
  method: "POST",
  path: "/api/v2/metadata-templates/{template_id}/fields",
  summary: "Add a field to a metadata template",
  params: templateParams,
  body: z.object({ ...newField.shape, position }),
  response: single("metadata_field", metadataField),
  idempotent: true,
  errors: { 409: `${NAME_TAKEN}. ${FIELDS_FULL}` },
});
export const updateMetadataField = operation({
  ...manage,
  method: "PATCH",
  path: "/api/v2/metadata-fields/{field_id}",
  summary: "Change a field's name, help, tag, position or options; its type is fixed",
  cost: 3,
  params: fieldParams,
  body: z.object({
    name: z.optional(metadataName),
    help: z.optional(metadataHelp),
    tag,
    position,
    options: withDescription(
      z.optional(
        z.array(z.object({ id: z.optional(z.string().check(z.maxLength(40))), name: optionName })).check(z.maxLength(LIMITS.metadata_options_per_field)),
      ),
      "of a choice: all of them in order. One with an `id` keeps its values under its new name, one without is new, one that is left out is removed",
    ),
    lost_value_count: withDescription(
      z.optional(z.int().check(z.nonnegative())),
      "needed where files have an option that is removed: how many lose their value, as the 409 without it says",
    ),
  }),
  response: single("metadata_field", metadataField),
  errors: {
    409: `${NAME_TAKEN}, or files have an option that is removed, and \`lost_value_count\` is another number than the one in the response. ${FIELDS_FULL}`,
  },
});
export const deleteMetadataField = operation({
  ...manage,
  method: "DELETE",
  path: "/api/v2/metadata-fields/{field_id}",
  summary: "Delete a field with its values; it can be restored for 30 days",
  params: fieldParams,
  response: single("metadata_deletion", metadataDeletion),
});
export const restoreMetadataField = operation({
  ...manage,
  method: "POST",
  path: "/api/v2/metadata-fields/{field_id}/restore",
  summary: "Restore a field with its values; possible for 30 days after its deletion",
  params: fieldParams,
  response: single("metadata_field", metadataField),
  errors: { 409: `${NAME_TAKEN} meanwhile, or its template is deleted. ${FIELDS_FULL}` },
});

export const getFileMetadata = operation({
  ...read,
  path: "/api/v2/files/{file_id}/metadata",
  summary: "The metadata of a file",
  rule: "file.read",
  params: fileParams,
  response: single("file_metadata", fileMetadata),
});
export const getMetadataSuggestions = operation({
  ...read,
  path: "/api/v2/files/{file_id}/metadata-suggestions",
  summary: "Values that a file's own tags propose; for fields with the same tag, from the current version, and nothing is changed",
  rule: "file.read",
  params: fileParams,
  response: single("metadata_suggestions", metadataSuggestions),
});
export const updateFileMetadata = operation({
  ...edit,
  path: "/api/v2/files/{file_id}/metadata",
  summary: "Change the metadata of a file",
  params: fileParams,
  body: z.object({ values, if_values: ifValues }),
  response: single("file_metadata", fileMetadata),
  errors: { 409: CHANGED_MEANWHILE },
});
export const listFileMetadata = operation({
  ...read,
  path: "/api/v2/projects/{project_id}/metadata",
  summary: "The metadata of several files of a project; in the order of their ids, without those that are not there. A page may end earlier, at about 1 MB",
  rule: "file.read",
  cost: 5,
  params: z.object({ project_id: idInPath }),
  query: z.object({
    ...pageQuery.shape,
    file_ids: withDescription(commaSeparated("[1-9]\\d{0,14}", "a file's id"), `at most ${LIMITS.files_per_request}`),
  }),
  response: page(fileMetadata),
});
export const updateProjectMetadata = operation({
  ...edit,
  path: "/api/v2/projects/{project_id}/metadata",
  summary: "Change the metadata of several files of a project, all or none; the response has their revisions, without values",
  cost: 10,
  params: z.object({ project_id: idInPath }),
  body: z.object({
    changes: withDescription(
      z
        .array(z.object({ file_ids: z.array(id).check(z.minLength(1), z.maxLength(LIMITS.files_per_request)), values, if_values: ifValues }))
        .check(z.minLength(1), z.maxLength(LIMITS.files_per_request)),
      `each sets the same values for its files; at most ${LIMITS.files_per_request} files together, each once`,
    ),
  }),
  response: list(fileMetadataRevision),
  errors: { 409: CHANGED_MEANWHILE },
});
