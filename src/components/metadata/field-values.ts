/** What is typed into a field, and what its value is shown as. */
import { LIMITS } from "../../../contract/limits.ts";
import type { MetadataField, MetadataValue } from "../../../contract/metadata-records.ts";
import { findMetadataIssue, normalizeMetadataValue } from "../../../contract/metadata-values.ts";
import { formatDay } from "../../lib/days.ts";
import { formatNumber } from "../../lib/format.ts";
import { t } from "../../lib/texts/metadata.ts";

type FieldType = Pick<MetadataField, "type" | "options">;

/** Parses what was typed or pasted, with a comma or point in a number; nothing typed is null, the removal of the value. */
export function parseFieldText(field: FieldType, text: string): { value: MetadataValue | null } | { issue: string } {
  const trimmed = text.trim();
  if (trimmed === "") return { value: null };
  const value = field.type === "number" ? Number(trimmed.replace(",", ".")) : trimmed;
  return findMetadataIssue(field, value) === null ? { value: normalizeMetadataValue(field, value) } : { issue: issueText(field) };
}

function issueText({ type }: FieldType): string {
  if (type === "number") return t("numberInvalid");
  if (type === "isrc") return t("isrcInvalid");
  return type === "date" ? t("dateInvalid") : t("textTooLong", { count: LIMITS.metadata_text_characters });
}

/** The text with which a value is edited. */
export const editedText = (value: MetadataValue | undefined): string => (value === undefined ? "" : String(value));

/** Formats a value for reading; null without one. `personName` names accounts. */
export function formatFieldValue(
  { type, options }: FieldType,
  value: MetadataValue | null | undefined,
  personName: (id: number) => string | undefined,
): string | null {
  if (value === undefined || value === null) return null;
  if (type === "choice") return options.find(({ id }) => id === value)?.name ?? null;
  if (type === "person") return personName(Number(value)) ?? t("formerMember");
  if (type === "checkbox") return t("yes");
  if (type === "number") return formatNumber(Number(value));
  return type === "date" ? formatDay(String(value)) : String(value);
}
