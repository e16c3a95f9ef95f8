/** Derives the columns by which files are filtered and sorted from a value of a metadata field. */
import { foldName, nameOrderKey } from "../../contract/file-order.ts";
import type { MetadataField, MetadataValue } from "../../contract/metadata-records.ts";
import { nameKey } from "../../contract/text.ts";
import type { Row, Tx } from "./schema.ts";

type KeyColumns = Pick<Row<"metadata_values">, "match_text" | "sort_number" | "sort_text" | "person_id">;

/** An entry of an index has a maximum length. */
const MAX_KEY_LENGTH = 250;

export const personOrderKey = (username: string): string => [...nameKey(username)].slice(0, MAX_KEY_LENGTH).join("");

/** Returns the text that a value is found by. */
export function matchText({ type }: Pick<MetadataField, "type">, value: MetadataValue): string {
  if (type === "text") return foldName(String(value));
  return type === "isrc" ? String(value).replaceAll(/[\s-]/g, "").toUpperCase() : String(value);
}

/** `username`: of the person who is the value. */
export function valueColumns(field: Pick<MetadataField, "type" | "options">, value: MetadataValue, username = ""): KeyColumns {
  const columns: KeyColumns = { match_text: matchText(field, value), sort_number: 0, sort_text: "", person_id: null };
  switch (field.type) {
    case "text":
      return { ...columns, sort_text: nameOrderKey(String(value), true) };
    case "date":
    case "isrc":
      return { ...columns, sort_text: String(value) };
    case "person":
      return { ...columns, sort_text: personOrderKey(username), person_id: Number(value) };
    case "choice":
      return { ...columns, sort_number: field.options.findIndex(({ id }) => id === value) };
    case "number":
    case "checkbox":
      return { ...columns, sort_number: Number(value) };
  }
}

/** Brings the order of values that are this person up to date with a new name. */
export async function renamePersonInValues(tx: Tx, accountId: number, username: string): Promise<void> {
  await tx
    .updateTable("metadata_values")
    .set({ sort_text: personOrderKey(username) })
    .where("person_id", "=", accountId)
    .execute();
}
