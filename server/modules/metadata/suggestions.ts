/** Proposes values for fields from the tags of a file's current version: a field with a tag gets the value of the annotation with the same name. */
import type { MetadataValue, MetadataValues } from "../../../contract/metadata-records.ts";
import { appliesToKind, findMetadataIssue, normalizeMetadataValue } from "../../../contract/metadata-values.ts";
import { nameKey } from "../../../contract/text.ts";
import type { Actor } from "../../access/access.ts";
import type { Database } from "../../db/database.ts";
import { loadProjectFields, loadValues, type TeamField } from "../files/metadata-fields.ts";
import { loadAuthorizedFile } from "../files/repository.ts";

/** Annotations that are called otherwise than the tag. */
const ANNOTATION_NAMES: Readonly<Record<string, string>> = { key: "initial_key" };

/** Returns the value that a text means for the field; undefined if it means none. A person is never guessed from a name. */
export function parseSuggestion(field: Pick<TeamField, "type" | "options">, text: string): MetadataValue | undefined {
  const value = toValue(field, text.trim());
  if (value === undefined || value === null || findMetadataIssue(field, value) !== null) return undefined;
  return normalizeMetadataValue(field, value) ?? undefined;
}

function toValue({ type, options }: Pick<TeamField, "type" | "options">, text: string): MetadataValue | undefined {
  switch (type) {
    case "text":
    case "isrc":
    case "date":
      return text;
    case "number":
      return text === "" ? undefined : Number(text.replace(",", "."));
    case "choice":
      return options.find(({ name }) => nameKey(name) === nameKey(text))?.id;
    case "checkbox":
      return /^(1|true|yes)$/i.test(text) ? true : undefined;
    case "person":
      return undefined;
  }
}

/** An annotation is a text, or several of them. */
const firstText = (annotation: unknown): string | undefined => {
  const first: unknown = Array.isArray(annotation) ? annotation[0] : annotation;
  return typeof first === "string" || typeof first === "number" ? String(first) : undefined;
};

export const createMetadataSuggestions = ({ database }: { database: Database }) => ({
  async suggest(actor: Actor, fileId: number): Promise<{ fileId: number; values: MetadataValues }> {
    const { read } = database;
    const file = await loadAuthorizedFile(read, actor, "file.read", fileId);
    const fields = [...(await loadProjectFields(read, file.project_id)).values()].filter((field) => field.tag !== null && appliesToKind(field, file.kind));
    const version = await read
      .selectFrom("file_versions")
      .select("probe")
      .where("id", "=", file.version_id ?? 0)
      .executeTakeFirst();
    const { annotations = {} } = JSON.parse(version?.probe ?? "{}") as { annotations?: Record<string, unknown> };
    const byName = new Map(Object.entries(annotations).map(([name, value]) => [name.toLowerCase(), value]));
    const current = (await loadValues(read, [file], fields)).get(file.id) ?? {};
    const values: MetadataValues = {};
    for (const field of fields) {
      const tag = (field.tag ?? "").toLowerCase();
      const text = firstText(byName.get(ANNOTATION_NAMES[tag] ?? tag) ?? byName.get(tag));
      const value = text === undefined ? undefined : parseSuggestion(field, text);
      if (value !== undefined && value !== current[field.id]) values[field.id] = value;
    }
    return { fileId, values };
  },
});
