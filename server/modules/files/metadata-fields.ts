/** Metadata fields of a project's team, and the values that files have for them. */
import type { MetadataField, MetadataTemplate, MetadataValue, MetadataValues } from "../../../contract/metadata-records.ts";
import { appliesToKind } from "../../../contract/metadata-values.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row } from "../../db/schema.ts";

/** A field with the name of its template and the kinds of files that have it. */
export interface TeamField extends MetadataField {
  templateName: string;
  kinds: MetadataTemplate["kinds"];
}

type FieldRow = Row<"metadata_fields"> & { template_name: string; kinds: string | null };

const toTeamField = ({ id, template_id, name, type, options, help, tag, template_name, kinds }: FieldRow): TeamField => ({
  object: "metadata_field",
  id,
  template_id,
  name,
  type,
  options: JSON.parse(options) as MetadataField["options"],
  help,
  tag,
  templateName: template_name,
  kinds: kinds === null ? null : (JSON.parse(kinds) as MetadataTemplate["kinds"]),
});

/** Returns the fields of the project's team by id, in the order of templates and fields. */
export async function loadProjectFields(db: Db, projectId: number): Promise<Map<number, TeamField>> {
  const rows = await db
    .selectFrom("projects")
    .innerJoin("metadata_templates", "metadata_templates.team_id", "projects.team_id")
    .innerJoin("metadata_fields", "metadata_fields.template_id", "metadata_templates.id")
    .selectAll("metadata_fields")
    .select(["metadata_templates.name as template_name", "metadata_templates.kinds"])
    .where("projects.id", "=", projectId)
    .where("metadata_templates.deleted_at", "is", null)
    .where("metadata_fields.deleted_at", "is", null)
    .orderBy("metadata_templates.position")
    .orderBy("metadata_templates.id")
    .orderBy("metadata_fields.position")
    .orderBy("metadata_fields.id")
    .execute();
  return new Map(rows.map((row) => [row.id, toTeamField(row)]));
}

/** Returns the values of these files for these fields, by file id, without those of fields that do not apply to the file's kind. */
export async function loadValues(
  db: Db,
  files: readonly Pick<Row<"files">, "id" | "kind">[],
  fields: readonly TeamField[],
): Promise<Map<number, MetadataValues>> {
  const valuesByFile = new Map<number, MetadataValues>(files.map(({ id }) => [id, {}]));
  if (files.length === 0 || fields.length === 0) return valuesByFile;
  const rows = await db
    .selectFrom("metadata_values")
    .select(["file_id", "field_id", "value"])
    .where("file_id", "in", padIds([...valuesByFile.keys()]))
    .where("field_id", "in", padIds(fields.map(({ id }) => id)))
    .execute();
  const [kindOf, fieldById] = [new Map(files.map(({ id, kind }) => [id, kind])), new Map(fields.map((field) => [field.id, field]))];
  for (const { file_id, field_id, value } of rows) {
    const [values, field] = [valuesByFile.get(file_id), fieldById.get(field_id)];
    if (values && field && appliesToKind(field, kindOf.get(file_id) ?? "")) values[field_id] = JSON.parse(value) as MetadataValue;
  }
  return valuesByFile;
}
