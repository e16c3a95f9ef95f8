/** Texts of values, as tables and tags have them, and what a cell of a table means. */
import type { MetadataValue } from "../../../contract/metadata-records.ts";
import { findMetadataIssue, normalizeMetadataValue } from "../../../contract/metadata-values.ts";
import { nameKey } from "../../../contract/text.ts";
import type { TeamField } from "../files/metadata-fields.ts";

export const FIXED_COLUMNS = ["File ID", "Path", "Name"] as const;

/** What a spreadsheet would run as a formula, after any number of apostrophes, so that removing one gives back every text. */
const FORMULA = /^'*[=+\-@\t\r\n]/;
const guardFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
/** Removes the apostrophe that the export adds. */
export const unguardFormula = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);

/** The value as people read it. `people`: names by account id; somebody who no longer sees the project is written as the id. */
export function valueText({ type, options }: TeamField, value: MetadataValue, people: ReadonlyMap<number, string>): string {
  if (type === "choice") return options.find(({ id }) => id === value)?.name ?? "";
  return type === "person" ? (people.get(Number(value)) ?? String(value)) : String(value);
}

export const guardText = (text: string): string => guardFormula(text);
export const toCell = (field: TeamField, value: MetadataValue, people: ReadonlyMap<number, string>): string =>
  field.type === "number" ? valueText(field, value, people) : guardFormula(valueText(field, value, people));

/** Returns the heading of each field: its name, with that of its template where another column has the same. */
export function headings(fields: readonly TeamField[]): Map<TeamField, string> {
  const names = [...FIXED_COLUMNS, ...fields.map(({ name }) => name)].map(nameKey);
  const isUnique = ({ name }: TeamField) => names.filter((other) => other === nameKey(name)).length === 1;
  return new Map(fields.map((field) => [field, isUnique(field) ? field.name : `${field.templateName}: ${field.name}`]));
}

const CHECKED = /^(true|yes|x|1)$/i;
const UNCHECKED = /^(false|no|0)$/i;

/** Returns the stored value of a cell, null for an empty one, or what is wrong with it. */
export function parseCell(
  field: TeamField,
  cell: string,
  { peopleByName, hasDecimalComma }: { peopleByName: ReadonlyMap<string, number>; hasDecimalComma: boolean },
): { value: MetadataValue | null } | { issue: string } {
  const text = unguardFormula(cell).trim();
  if (text === "") return { value: null };
  let value: MetadataValue = text;
  if (field.type === "number") value = Number(hasDecimalComma ? text.replace(",", ".") : text);
  if (field.type === "checkbox") {
    if (!CHECKED.test(text) && !UNCHECKED.test(text)) return { issue: `"${text}" must be true or false` };
    value = CHECKED.test(text);
  }
  if (field.type === "choice") {
    const option = field.options.find(({ name }) => nameKey(name) === nameKey(text));
    if (!option) return { issue: `"${text}" must be one of the field's options` };
    value = option.id;
  }
  if (field.type === "person") {
    const id = peopleByName.get(nameKey(text));
    if (id === undefined) return { issue: `"${text}" must be the name of someone with access to the project` };
    value = id;
  }
  const issue = findMetadataIssue(field, value);
  return issue ? { issue: `"${text}" ${issue}` } : { value: normalizeMetadataValue(field, value) };
}
