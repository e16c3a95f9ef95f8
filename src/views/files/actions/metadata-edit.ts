/** What the dialog that edits the metadata of several files holds: the value that the files share in each field, and what the person has entered. */
import type { FileMetadata, MetadataChanges, MetadataField, MetadataValue } from "../../../../contract/metadata-records.ts";
import { editedText, parseFieldText } from "../../../components/metadata/field-values.ts";

/** What a person has entered for a field; fields without a draft stay as they are. */
export interface Draft {
  /** What is typed, for fields that are not chosen from a list. */
  text: string;
  /** What is chosen. */
  value: MetadataValue | null;
}

/** Returns the value that all of the files have, null if none of them has one, and undefined if they differ. */
export function sharedValue(files: readonly FileMetadata[], fieldId: number): MetadataValue | null | undefined {
  const [first = null, ...others] = files.map(({ values }) => values[fieldId] ?? null);
  return others.every((value) => value === first) ? first : undefined;
}

/** Returns how many of the files have another value. */
export const countOthers = (files: readonly FileMetadata[], fieldId: number, value: MetadataValue | null): number =>
  files.filter(({ values }) => (values[fieldId] ?? null) !== value).length;

const isTyped = ({ type }: MetadataField): boolean => type !== "choice" && type !== "person" && type !== "checkbox";

/** Returns the value of a draft, or what is wrong with it. */
export const parseDraft = (field: MetadataField, { text, value }: Draft): { value: MetadataValue | null } | { issue: string } =>
  isTyped(field) ? parseFieldText(field, text) : { value };

/** Returns the draft for what was entered; undefined if that leaves the files as they are. */
export function toDraft(field: MetadataField, shared: MetadataValue | null | undefined, entered: Draft): Draft | undefined {
  // An empty field does not mean that files which differ should lose their values.
  const original = shared === undefined ? "" : editedText(shared ?? undefined);
  return (isTyped(field) ? entered.text === original : entered.value === shared) ? undefined : entered;
}

/** Returns the changes of all drafts, and the issues by field id. */
export function parseDrafts(fields: readonly MetadataField[], drafts: ReadonlyMap<number, Draft>): { values: MetadataChanges; issues: Map<number, string> } {
  const values: MetadataChanges = {};
  const issues = new Map<number, string>();
  for (const field of fields) {
    const draft = drafts.get(field.id);
    if (!draft) continue;
    const parsed = parseDraft(field, draft);
    if ("issue" in parsed) issues.set(field.id, parsed.issue);
    else values[field.id] = parsed.value;
  }
  return { values, issues };
}
