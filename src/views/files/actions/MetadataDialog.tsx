import { useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { MetadataField, MetadataValue } from "../../../../contract/metadata-records.ts";
import { ErrorNotice, LoadError } from "../../../components/ErrorNotice.tsx";
import { FieldControl } from "../../../components/metadata/FieldControl.tsx";
import { editedText, parseFieldText } from "../../../components/metadata/field-values.ts";
import { useMembersOfField } from "../../../components/metadata/use-members-of-field.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { useChangeProjectMetadata, useFileMetadata } from "../../../queries/metadata/use-file-metadata.ts";
import { templatesForKind, useTemplates } from "../../../queries/metadata/use-templates.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { Select } from "../../../ui/Select.tsx";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";
import { submitTo } from "../../../ui/text-input.ts";
import { useToasts } from "../../../ui/toast.ts";
import { useFilesContext } from "../files-context.ts";

/** Sets one metadata field for all selected files, all or none. Offers the fields that each of them has. */
export function MetadataDialog({ entries, onClose }: { entries: readonly FileEntry[]; onClose(): void }) {
  const [first] = entries;
  return (
    <Dialog title={t("editTitle", { count: entries.length, name: first?.name ?? "" })} onClose={onClose} width="sm">
      {first && entries.length === 1 ? (
        <OneFile entry={first} onClose={onClose} />
      ) : (
        <Fields entries={entries} valueOf={(fieldId) => sharedValue(entries, fieldId)} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Loads the values of one file, since the list has only those of fields with a column. */
function OneFile({ entry, onClose }: { entry: FileEntry; onClose(): void }) {
  const { values, error, refetch } = useFileMetadata(entry.id);
  if (!values) return error ? <LoadError error={error} retry={() => void refetch()} /> : <RowsSkeleton rows={2} />;
  return <Fields entries={[entry]} valueOf={(fieldId) => values[fieldId]} onClose={onClose} />;
}

interface FieldsProps {
  entries: readonly FileEntry[];
  /** The value that all files have, as far as it is known. */
  valueOf(fieldId: number): MetadataValue | undefined;
  onClose(): void;
}

function Fields({ entries, valueOf, onClose }: FieldsProps) {
  const { project, fieldColumns } = useFilesContext();
  const templates = useTemplates(project.team_id).data ?? [];
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const fields = templates.filter((template) => kinds.every((kind) => templatesForKind([template], kind).length > 0)).flatMap((template) => template.fields);
  const [fieldId, setFieldId] = useState<number | null>(null);
  const field = fields.find(({ id }) => id === fieldId) ?? fields.find(({ id }) => fieldColumns.ids.includes(id)) ?? fields[0];
  if (!field) return <p className="text-text-2">{t("noCommonFields")}</p>;
  return (
    <FieldOfFiles key={field.id} field={field} fields={fields} entries={entries} shared={valueOf(field.id)} onFieldChange={setFieldId} onClose={onClose} />
  );
}

interface FieldOfFilesProps {
  field: MetadataField;
  fields: readonly MetadataField[];
  entries: readonly FileEntry[];
  /** The value that all files have; undefined if they have none, or if it is not known. */
  shared: MetadataValue | undefined;
  onFieldChange(id: number): void;
  onClose(): void;
}

function FieldOfFiles({ field, fields, entries, shared, onFieldChange, onClose }: FieldOfFilesProps) {
  const { project } = useFilesContext();
  const toasts = useToasts();
  const change = useChangeProjectMetadata(project.id);
  const [value, setValue] = useState<MetadataValue | null>(shared ?? null);
  const [text, setText] = useState(editedText(shared));
  const [issue, setIssue] = useState<string | null>(null);
  const { people } = useMembersOfField(project.id, field, value ?? undefined);
  const isChosen = field.type === "choice" || field.type === "person" || field.type === "checkbox";
  // Without an entry nothing is sent: an empty field does not mean that the files have no value.
  const isChanged = isChosen ? value !== (shared ?? null) : text !== editedText(shared) && text.trim() !== "";
  const save = (next: MetadataValue | null) => {
    const onSuccess = () => {
      toasts.show({ text: t(next === null ? "removedFor" : "savedFor", { field: field.name, count: entries.length }) });
      onClose();
    };
    change.mutate({ fileIds: entries.map(({ id }) => id), values: { [field.id]: next } }, { onSuccess });
  };
  const submit = () => {
    if (!isChanged) return;
    const parsed = isChosen ? { value } : parseFieldText(field, text);
    setIssue("issue" in parsed ? parsed.issue : null);
    if ("value" in parsed) save(parsed.value);
  };
  return (
    <form noValidate onSubmit={submitTo(submit)} className="flex flex-col gap-4">
      <ErrorNotice error={change.error} />
      <Select label={t("field")} value={field.id} options={fields.map(({ id, name }) => [id, name] as const)} onChange={onFieldChange} />
      <FieldControl field={field} value={value} people={people} text={text} error={issue ?? undefined} onTextChange={setText} onChoose={setValue} />
      {entries.length > 1 && <p className="text-sm text-text-2">{t("replaces")}</p>}
      <DialogActions>
        <Button onClick={onClose}>{tCommon("cancel")}</Button>
        <Button variant="ghost" pending={change.isPending} onClick={() => save(null)}>
          {t("removeFor", { count: entries.length })}
        </Button>
        <Button type="submit" variant="primary" pending={change.isPending} disabled={!isChanged}>
          {t("setFor", { count: entries.length })}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Returns the value that all files have for the field, as far as the list shows it as a column. */
function sharedValue(entries: readonly FileEntry[], fieldId: number): MetadataValue | undefined {
  const [first, ...others] = entries.map(({ metadata }) => metadata?.[fieldId]);
  return others.every((other) => other === first) ? first : undefined;
}
