/** Counts the values that would be lost with a template, a field or an option. */
import type { MetadataUsage } from "../../../contract/metadata-records.ts";
import type { Actor } from "../../access/access.ts";
import type { Database } from "../../db/database.ts";
import type { Db } from "../../db/schema.ts";
import { parseOptions } from "./presenter.ts";
import { loadManagedTemplate, loadTemplateView } from "./repository.ts";

/** Selects the values that files which are not deleted have for these fields. */
export const presentValues = (db: Db, fieldIds: readonly number[]) =>
  db
    .selectFrom("metadata_values")
    .innerJoin("files", "files.id", "metadata_values.file_id")
    .where("metadata_values.field_id", "in", fieldIds)
    .where("files.deleted_at", "is", null);

/** Counts them, with `matchTexts` only those of these options. */
export async function countValues(db: Db, fieldIds: readonly number[], matchTexts: readonly string[] | null = null): Promise<number> {
  if (fieldIds.length === 0) return 0;
  let query = presentValues(db, fieldIds).select(({ fn }) => fn.countAll<number>().as("count"));
  if (matchTexts) query = query.where("metadata_values.match_text", "in", matchTexts);
  return (await query.executeTakeFirstOrThrow()).count;
}

/** Returns how many files have each option of these choices, by field and option. */
async function countOptions(db: Db, fieldIds: readonly number[]): Promise<Map<string, number>> {
  if (fieldIds.length === 0) return new Map();
  const rows = await presentValues(db, fieldIds)
    .select(({ fn }) => ["metadata_values.field_id", "metadata_values.match_text", fn.countAll<number>().as("count")])
    .groupBy(["metadata_values.field_id", "metadata_values.match_text"])
    .execute();
  return new Map(rows.map(({ field_id, match_text, count }) => [`${field_id} ${match_text}`, count]));
}

async function countByField(db: Db, fieldIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await presentValues(db, fieldIds)
    .select(({ fn }) => ["metadata_values.field_id", fn.countAll<number>().as("count")])
    .groupBy("metadata_values.field_id")
    .execute();
  return new Map(rows.map(({ field_id, count }) => [field_id, count]));
}

async function countFiles(db: Db, fieldIds: readonly number[]): Promise<number> {
  const query = presentValues(db, fieldIds).select(({ fn }) => fn.count<number>("metadata_values.file_id").distinct().as("count"));
  return (await query.executeTakeFirstOrThrow()).count;
}

export function createMetadataUsage({ database }: { database: Database }) {
  return {
    async count(actor: Actor, templateId: number): Promise<MetadataUsage> {
      const db = database.read;
      const { fields } = await loadTemplateView(db, await loadManagedTemplate(db, actor, templateId));
      const ids = fields.map(({ id }) => id);
      const byField = ids.length === 0 ? new Map<number, number>() : await countByField(db, ids);
      const byOption = await countOptions(
        db,
        fields.filter(({ type }) => type === "choice").map(({ id }) => id),
      );
      return {
        template_id: templateId,
        value_count: [...byField.values()].reduce((sum, count) => sum + count, 0),
        file_count: byField.size === 0 ? 0 : await countFiles(db, ids),
        fields: fields.map((field) => ({
          field_id: field.id,
          value_count: byField.get(field.id) ?? 0,
          options: parseOptions(field).map(({ id }) => ({ id, value_count: byOption.get(`${field.id} ${id}`) ?? 0 })),
        })),
      };
    },
  };
}
