/** Adds fields to a template, and gives new options of a choice their ids. */
import type { MetadataField, MetadataOption } from "../../../contract/metadata-records.ts";
import { nameKey } from "../../../contract/text.ts";
import type { Tx } from "../../db/schema.ts";
import { newPublicId } from "../../lib/crypto.ts";
import { conflict, invalid } from "../../lib/errors.ts";

export interface NewField {
  name: string;
  type: MetadataField["type"];
  options: readonly { id?: string | undefined; name: string }[];
  help: string;
  tag: string | null;
}

const OPTION_ID_LENGTH = 12;

/** Returns the options with ids; throws a 400 for two with the same name, and for options of a type that has none. */
export function toOptions(type: MetadataField["type"], options: NewField["options"]): MetadataOption[] {
  if (type !== "choice" && options.length > 0) throw invalid("options", "only a choice has options");
  const names = options.map(({ name }) => nameKey(name));
  if (new Set(names).size < names.length) throw invalid("options", "must have different names");
  return options.map(({ id, name }) => ({ id: id ?? newPublicId().slice(0, OPTION_ID_LENGTH), name: name.trim() }));
}

/** Inserts the fields after those that the template has. Throws a 409 for a name that is taken. */
export async function insertFields(tx: Tx, templateId: number, fields: readonly NewField[]): Promise<number[]> {
  const present = await tx.selectFrom("metadata_fields").selectAll().where("template_id", "=", templateId).where("deleted_at", "is", null).execute();
  const taken = new Set(present.map(({ name_key }) => name_key));
  let last = Math.max(0, ...present.map(({ position }) => position));
  const rows = fields.map(({ name, type, options, help, tag }) => {
    const key = nameKey(name);
    if (taken.has(key)) throw conflict(`The template already has a field named "${name.trim()}".`);
    taken.add(key);
    last += 1;
    return { template_id: templateId, name: name.trim(), name_key: key, type, options: JSON.stringify(toOptions(type, options)), help, tag, position: last };
  });
  const ids: number[] = [];
  for (const row of rows) ids.push((await tx.insertInto("metadata_fields").values(row).returning("id").executeTakeFirstOrThrow()).id);
  return ids;
}
