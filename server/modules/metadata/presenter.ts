/** Presents templates, fields and values as wire records. */
import type * as wire from "../../../contract/metadata-records.ts";
import type { Row } from "../../db/schema.ts";
import { iso } from "../../lib/iso-time.ts";

export interface TemplateView {
  template: Row<"metadata_templates">;
  /** In order. */
  fields: Row<"metadata_fields">[];
}

export interface FileMetadataView {
  file: Pick<Row<"files">, "id" | "project_id" | "metadata_revision">;
  values: wire.MetadataValues;
}

export const parseKinds = ({ kinds }: Pick<Row<"metadata_templates">, "kinds">): wire.MetadataTemplate["kinds"] =>
  kinds === null ? null : (JSON.parse(kinds) as wire.MetadataTemplate["kinds"]);
export const parseOptions = ({ options }: Pick<Row<"metadata_fields">, "options">): wire.MetadataOption[] => JSON.parse(options) as wire.MetadataOption[];

export const presentField = (field: Row<"metadata_fields">): wire.MetadataField => ({
  object: "metadata_field",
  id: field.id,
  template_id: field.template_id,
  name: field.name,
  type: field.type,
  options: parseOptions(field),
  help: field.help,
  tag: field.tag,
});

export const presentTemplate = ({ template, fields }: TemplateView): wire.MetadataTemplate => ({
  object: "metadata_template",
  id: template.id,
  team_id: template.team_id,
  name: template.name,
  kinds: parseKinds(template),
  fields: fields.map(presentField),
  created_at: iso(template.created_at),
  revision: template.revision,
});

export const presentRevision = ({ id, project_id, metadata_revision }: FileMetadataView["file"]): wire.FileMetadataRevision => ({
  object: "file_metadata_revision",
  file_id: id,
  project_id,
  revision: metadata_revision,
});

export const presentFileMetadata = ({ file, values }: FileMetadataView): wire.FileMetadata => ({
  object: "file_metadata",
  file_id: file.id,
  project_id: file.project_id,
  values,
  revision: file.metadata_revision,
});
