/** Edits the value of one metadata field in place. It is saved when the person leaves the field or presses Enter, and a choice at once. */
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { MetadataField, MetadataValue } from "../../../../contract/metadata-records.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { useMembersOfField } from "./use-members-of-field.ts";
import { currentValuesOf, useChangeFileMetadata } from "../../../queries/metadata/use-file-metadata.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { CheckField, TextArea, TextField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { editedText, formatFieldValue, parseFieldText } from "../../../components/metadata/field-values.ts";

interface FieldEditorProps {
  fileId: number;
  projectId: number;
  field: MetadataField;
  /** Undefined without a value. */
  value: MetadataValue | undefined;
  /** What the file's own tags propose. */
  suggestion: MetadataValue | undefined;
}

export function FieldEditor({ fileId, projectId, field, value, suggestion }: FieldEditorProps) {
  const { mutate, error, variables, reset } = useChangeFileMetadata(fileId);
  const { people, nameOf } = useMembersOfField(projectId, field, value);
  /** What is typed and not saved yet, and the value that it replaces. */
  const [draft, setDraft] = useState<{ text: string; replaced: MetadataValue | null } | null>(null);
  const [issue, setIssue] = useState<string | null>(null);
  const present = value ?? null;
  const currentValues = currentValuesOf(error);

  const discard = () => {
    setDraft(null);
    setIssue(null);
    reset();
  };
  const save = (next: MetadataValue | null, replaced: MetadataValue | null) => {
    if (next === replaced) return discard();
    const typed = draft;
    setDraft(null);
    setIssue(null);
    mutate(
      { values: { [field.id]: next }, ifValues: { [field.id]: replaced } },
      {
        onSuccess: () => announce(t("saved", { field: field.name })),
        // What was typed comes back, unless the person has begun anew.
        onError: () => setDraft((current) => current ?? typed),
      },
    );
  };
  const commit = () => {
    if (!draft || currentValues) return;
    const parsed = parseFieldText(field, draft.text);
    if ("issue" in parsed) setIssue(parsed.issue);
    else save(parsed.value, draft.replaced);
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && draft) {
      event.preventDefault();
      discard();
    } else if (event.key === "Enter" && (field.type !== "text" || event.currentTarget.tagName === "INPUT" || event.ctrlKey || event.metaKey)) commit();
  };
  const label = field.name;
  const failure = issue ?? (error && !currentValues ? formatErrorReason(error) : undefined);
  const textProps = {
    label,
    hint: field.help || undefined,
    error: failure,
    value: draft?.text ?? editedText(value),
    onChange: (text: string) => setDraft({ text, replaced: draft ? draft.replaced : present }),
    onBlur: commit,
    onKeyDown: handleKeyDown,
    autoComplete: "off",
  };

  return (
    <div className="min-w-0">
      {renderControl()}
      {suggestion !== undefined && present === null && draft === null && (
        <Button size="sm" variant="ghost" className="mt-1 max-w-full" onClick={() => save(suggestion, null)}>
          <span className="truncate">{t("useSuggestion", { value: formatFieldValue(field, suggestion, nameOf) ?? "" })}</span>
        </Button>
      )}
      {currentValues && (
        <Conflict
          current={formatFieldValue(field, currentValues[field.id], nameOf)}
          onKeep={discard}
          onReplace={() => save(variables?.values[field.id] ?? null, currentValues[field.id] ?? null)}
        />
      )}
    </div>
  );

  function renderControl(): ReactNode {
    const selectProps = { label, hint: field.help || undefined, error: failure, onChange: (next: MetadataValue | null) => save(next, present) };
    switch (field.type) {
      case "checkbox":
        return (
          <>
            <CheckField label={label} hint={field.help || undefined} checked={value === true} onChange={(isChecked) => save(isChecked || null, present)} />
            {failure !== undefined && (
              <p role="alert" className="mt-1 text-sm text-danger">
                {failure}
              </p>
            )}
          </>
        );
      case "choice":
        return (
          <Select<MetadataValue | null>
            {...selectProps}
            value={present}
            options={[[null, t("none")], ...field.options.map(({ id, name }) => [id, name] as const)]}
          />
        );
      case "person":
        return (
          <Select<MetadataValue | null>
            {...selectProps}
            value={present}
            options={[[null, t("none")], ...people.map(({ id, username }) => [id, username] as const)]}
          />
        );
      case "text":
        if (textProps.value.includes("\n")) return <TextArea {...textProps} dir="auto" />;
        return <TextField {...textProps} dir="auto" />;
      case "number":
        return <TextField {...textProps} inputMode="decimal" />;
      case "date":
        return <TextField {...textProps} type="date" max="9999-12-31" />;
      case "isrc":
        return <TextField {...textProps} autoCapitalize="characters" spellCheck={false} className="tabular" />;
    }
  }
}

/** Says what somebody else has set meanwhile, and lets the person decide. */
function Conflict({ current, onKeep, onReplace }: { current: string | null; onKeep(): void; onReplace(): void }) {
  return (
    <div role="alert" className="mt-1.5 text-sm">
      <p className="text-danger">{current === null ? t("removedMeanwhile") : t("changedMeanwhile", { value: current })}</p>
      <div className="mt-1.5 flex flex-wrap gap-2">
        <Button size="sm" onClick={onKeep}>
          {t("keepTheirs")}
        </Button>
        <Button size="sm" variant="ghost" onClick={onReplace}>
          {t("useMine")}
        </Button>
      </div>
    </div>
  );
}
