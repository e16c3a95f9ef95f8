/** Counts the values that would be lost with a template, a field or an option. */
import type { MetadataTemplate, MetadataUsage } from "../../../contract/metadata-records.ts";
import type { Actor } from "../../access/access.ts";
import type { Database } from "../../db/database.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db } from "../../db/schema.ts";
import { parseKinds, parseOptions } from "./presenter.ts";
import { loadManagedTemplate, loadTemplateView } from "./repository.ts";

type Kinds = MetadataTemplate["kinds"];

/** Selects the values of these fields that can be seen: of files that are not deleted and of kinds that the template is for. */
function visibleValues(db: Db, kinds: Kinds, fieldIds: readonly number[]) {
  const query = db
    .selectFrom("metadata_values")
    .innerJoin("files", "files.id", "metadata_values.file_id")
    .where("metadata_values.field_id", "in", padIds(fieldIds))
    .where("files.deleted_at", "is", null);
  return kinds === null ? query : query.where("files.kind", "in", kinds);
}

/** Counts the values of these fields that can be seen. */
export async function countValues(db: Db, kinds: Kinds, fieldIds: readonly number[]): Promise<number> {
  if (fieldIds.length === 0) return 0;
  const query = visibleValues(db, kinds, fieldIds).select(({ fn }) => fn.countAll<number>().as("count"));
  return (await query.executeTakeFirstOrThrow()).count;
}

/** Counts the files that have one of these options of a choice, also deleted ones that can be restored: removing an option is final for them too. */
export async function countFilesWithOptions(db: Db, fieldId: number, options: readonly string[]): Promise<number> {
  const query = db.selectFrom("metadata_values").select(({ fn }) => fn.countAll<number>().as("count"));
  return (await query.where("field_id", "=", fieldId).where("match_text", "in", options).executeTakeFirstOrThrow()).count;
}

/** Returns how many files have each option of these choices, by field and option, as `countFilesWithOptions` counts. */
async function countOptions(db: Db, fieldIds: readonly number[]): Promise<Map<string, number>> {
  if (fieldIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("metadata_values")
    .select(({ fn }) => ["field_id", "match_text", fn.countAll<number>().as("count")])
    .where("field_id", "in", padIds(fieldIds))
    .groupBy(["field_id", "match_text"])
    .execute();
  return new Map(rows.map(({ field_id, match_text, count }) => [`${field_id} ${match_text}`, count]));
}

async function countByField(db: Db, kinds: Kinds, fieldIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await visibleValues(db, kinds, fieldIds)
    .select(({ fn }) => ["metadata_values.field_id", fn.countAll<number>().as("count")])
    .groupBy("metadata_values.field_id")
    .execute();
  return new Map(rows.map(({ field_id, count }) => [field_id, count]));
}

async function countFiles(db: Db, kinds: Kinds, fieldIds: readonly number[]): Promise<number> {
  const query = visibleValues(db, kinds, fieldIds).select(({ fn }) => fn.count<number>("metadata_values.file_id").distinct().as("count"));
  return (await query.executeTakeFirstOrThrow()).count;
}

export function createMetadataUsage({ database }: { database: Database }) {
  return {
    async count(actor: Actor, templateId: number): Promise<MetadataUsage> {
      const db = database.read;
      const template = await loadManagedTemplate(db, actor, templateId);
      const kinds = parseKinds(template);
      const { fields } = await loadTemplateView(db, template);
      const ids = fields.map(({ id }) => id);
      const byField = ids.length === 0 ? new Map<number, number>() : await countByField(db, kinds, ids);
      const byOption = await countOptions(
        db,
        fields.filter(({ type }) => type === "choice").map(({ id }) => id),
      );
      return {
        template_id: templateId,
        value_count: [...byField.values()].reduce((sum, count) => sum + count, 0),
        file_count: byField.size === 0 ? 0 : await countFiles(db, kinds, ids),
        fields: fields.map((field) => ({
          field_id: field.id,
          value_count: byField.get(field.id) ?? 0,
          options: parseOptions(field).map(({ id }) => ({ id, value_count: byOption.get(`${field.id} ${id}`) ?? 0 })),
        })),
      };
    },
  };
}
