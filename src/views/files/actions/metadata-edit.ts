/** What the dialog that edits the metadata of several files holds: the value that the files share in each field, and what the person has entered. */
import type { FileMetadata, MetadataChanges, MetadataField, MetadataValue } from "../../../../contract/metadata-records.ts";
import { editedText, parseFieldText } from "../../../components/metadata/field-values.ts";

/** What a person has entered for a field; fields without a draft stay as they are. */
export interface Draft {
  /** What is typed, for fields that are not chosen from a list. */
  text: string;
  /** What is chosen. */
  value: MetadataValue | null;
  /** The values of the files, by their ids, that the person saw when they began to edit the field. */
  replaced: FieldValues;
}

type FieldValues = ReadonlyMap<number, MetadataValue | null>;

const valueOf = ({ values }: FileMetadata, fieldId: number): MetadataValue | null => values[fieldId] ?? null;

/** Returns the values that the files have in a field, by the files' ids. */
export const fieldValues = (files: readonly FileMetadata[], fieldId: number): FieldValues =>
  new Map(files.map((file) => [file.file_id, valueOf(file, fieldId)]));

/** Returns the value that all of the files have, null if none of them has one, and undefined if they differ. */
export function sharedValue(files: readonly FileMetadata[], fieldId: number): MetadataValue | null | undefined {
  const [first = null, ...others] = files.map((file) => valueOf(file, fieldId));
  return others.every((value) => value === first) ? first : undefined;
}

/** Returns how many of the files have another value. */
export const countOthers = (files: readonly FileMetadata[], fieldId: number, value: MetadataValue | null): number =>
  files.filter((file) => valueOf(file, fieldId) !== value).length;

/** Whether a field has a text that is typed; others are chosen from a list. */
export const isTyped = ({ type }: MetadataField): boolean => type !== "choice" && type !== "person" && type !== "checkbox";

/** Returns the value of a draft, or what is wrong with it. */
export const parseDraft = (field: MetadataField, { text, value }: Draft): { value: MetadataValue | null } | { issue: string } =>
  isTyped(field) ? parseFieldText(field, text) : { value };

/** Returns the files in which somebody else has changed the field since the person began to edit it; not those that have the draft's value by now. */
export function filesChangedMeanwhile(field: MetadataField, draft: Draft, files: readonly FileMetadata[]): FileMetadata[] {
  const parsed = parseDraft(field, draft);
  return files.filter((file) => {
    const value = valueOf(file, field.id);
    return draft.replaced.has(file.file_id) && value !== draft.replaced.get(file.file_id) && !("value" in parsed && value === parsed.value);
  });
}

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

/** Returns the files with the values that the person saw in the fields that they edited, so that saving replaces no others. */
export function filesAsSeen(files: readonly FileMetadata[], drafts: ReadonlyMap<number, Draft>, values: MetadataChanges): FileMetadata[] {
  return files.map((file) => {
    const seen = { ...file.values };
    for (const [fieldId, { replaced }] of drafts) {
      const former = replaced.get(file.file_id);
      // Where the file has the new value already, there is nothing to replace.
      if (former === undefined || valueOf(file, fieldId) === values[fieldId]) continue;
      if (former === null) delete seen[fieldId];
      else seen[fieldId] = former;
    }
    return { ...file, values: seen };
  });
}

/** Returns the files that had another value in one of the fields. */
export const filesChangedBy = (before: readonly FileMetadata[], values: MetadataChanges): FileMetadata[] =>
  before.filter((file) => Object.entries(values).some(([fieldId, value]) => valueOf(file, Number(fieldId)) !== value));
