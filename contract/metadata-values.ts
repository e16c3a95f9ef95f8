/** Rules for values of metadata fields, which the service enforces and forms check before they send. */
import { LIMITS } from "./limits.ts";
import type { MetadataField, MetadataOperator, MetadataTemplate, MetadataValue } from "./metadata-records.ts";
import { findTextIssue, isDay } from "./text.ts";

type FieldRule = Pick<MetadataField, "type" | "options">;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** ISO 3901: country, registrant, year, number. */
const ISRC = /^([A-Z]{2})([A-Z0-9]{3})(\d{2})(\d{5})$/;

/** Returns the ISRC as "CC-XXX-YY-NNNNN", or null for anything else; hyphens, spaces and case do not matter. */
export function formatIsrc(value: string): string | null {
  const compact = value
    .replaceAll(/[\s-]/g, "")
    .replace(/^ISRC:?/i, "")
    .toUpperCase();
  const [, country, registrant, year, number] = ISRC.exec(compact) ?? [];
  return country === undefined ? null : `${country}-${registrant}-${year}-${number}`;
}

/** Returns what is wrong with the value, or null. Whether a person exists is for the service to say. */
export function findMetadataIssue({ type, options }: FieldRule, value: MetadataValue): string | null {
  switch (type) {
    case "text":
      return typeof value === "string" ? findTextIssue(value, { min: 1, max: LIMITS.metadata_text_characters }) : "must be text";
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? null : "must be a number";
    case "choice":
      return options.some((option) => option.id === value) ? null : "must be the id of one of the field's options";
    case "date":
      return typeof value === "string" && DAY.test(value) && isDay(value) ? null : "must be a day that exists, such as 2026-03-02";
    case "person":
      return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? null : "must be an account's id";
    case "isrc":
      return typeof value === "string" && formatIsrc(value) !== null ? null : "must be an ISRC: 12 characters, such as GB-ABC-26-00001";
    case "checkbox":
      return typeof value === "boolean" ? null : "must be true or false";
  }
}

/** Returns the value in the form in which it is stored; null: no value, as for a box that is not checked. The value has no issue. */
export function normalizeMetadataValue({ type }: FieldRule, value: MetadataValue): MetadataValue | null {
  if (type === "text") return String(value).trim();
  if (type === "isrc") return formatIsrc(String(value));
  return value === false ? null : value;
}

/** The operators by which files can be filtered for each type. */
export const FIELD_OPERATORS: Record<MetadataField["type"], readonly MetadataOperator[]> = {
  text: ["is", "contains", "empty", "not_empty"],
  number: ["is", "range", "empty", "not_empty"],
  choice: ["is", "one_of", "empty", "not_empty"],
  date: ["is", "range", "empty", "not_empty"],
  person: ["is", "one_of", "empty", "not_empty"],
  isrc: ["is", "contains", "empty", "not_empty"],
  checkbox: ["empty", "not_empty"],
};

/** Returns whether files of this kind have the template's fields. */
export const appliesToKind = ({ kinds }: Pick<MetadataTemplate, "kinds">, kind: string): boolean =>
  kind !== "folder" && (kinds === null || kinds.some((one) => one === kind));
