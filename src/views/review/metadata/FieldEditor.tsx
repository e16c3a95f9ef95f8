/** Edits the value of one metadata field in place. It is saved when the person leaves the field or presses Enter, and a choice at once. */
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { MetadataField, MetadataValue } from "../../../../contract/metadata-records.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { ChangedMeanwhile } from "../../../components/metadata/ChangedMeanwhile.tsx";
import { FieldControl } from "../../../components/metadata/FieldControl.tsx";
import { useMembersOfField } from "../../../components/metadata/use-members-of-field.ts";
import { currentValuesOf, useChangeFileMetadata } from "../../../queries/metadata/use-file-metadata.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { useToasts } from "../../../ui/toast.ts";
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
  const { mutateAsync, error, variables, reset } = useChangeFileMetadata(fileId);
  const toasts = useToasts();
  const isShown = useRef(false);
  /** Why the last change was not saved; a view that is being left may render no more. */
  const failedReason = useRef<string | null>(null);
  const { people, nameOf } = useMembersOfField(projectId, field, value);
  /** What is typed and not saved yet, and the value that it replaces. */
  const [draft, setDraft] = useState<{ text: string; replaced: MetadataValue | null } | null>(null);
  const [issue, setIssue] = useState<string | null>(null);
  const present = value ?? null;
  const currentValues = currentValuesOf(error);

  const discard = () => {
    failedReason.current = null;
    setDraft(null);
    setIssue(null);
    reset();
  };
  const save = (next: MetadataValue | null, replaced: MetadataValue | null) => {
    if (next === replaced) return discard();
    const typed = draft;
    failedReason.current = null;
    setDraft(null);
    setIssue(null);
    mutateAsync({ values: { [field.id]: next }, ifValues: { [field.id]: replaced } }).then(
      () => announce(t("saved", { field: field.name })),
      (failed: unknown) => {
        // What was typed comes back, unless the person has begun anew; on another page there is no field that could say what went wrong.
        const reason = formatErrorReason(failed);
        if (!isShown.current) return toasts.showError(t("notSaved", { field: field.name, reason }));
        failedReason.current = reason;
        setDraft((current) => current ?? typed);
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
  const failure = issue ?? (error && !currentValues ? formatErrorReason(error) : undefined);
  // Leaving the page by a key or the browser's buttons moves no focus, so what is typed is saved here, or told if it cannot be.
  const leave = useEffectEvent(() => {
    const parsed = draft && parseFieldText(field, draft.text);
    const reason = failedReason.current ?? (parsed && "issue" in parsed ? parsed.issue : null);
    if (reason !== null) toasts.showError(t("notSaved", { field: field.name, reason }));
    else if (draft && parsed && "value" in parsed) save(parsed.value, draft.replaced);
  });
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      leave();
    };
  }, []);

  return (
    <div className="min-w-0">
      <FieldControl
        field={field}
        value={present}
        people={people}
        text={draft?.text ?? editedText(value)}
        error={failure}
        onTextChange={(text) => {
          if (!currentValues) failedReason.current = null;
          setDraft({ text, replaced: draft ? draft.replaced : present });
        }}
        onChoose={(next) => save(next, present)}
        onBlur={commit}
        onKeyDown={handleKeyDown}
      />
      {suggestion !== undefined && present === null && draft === null && (
        <Button size="sm" variant="ghost" className="mt-1 max-w-full" onClick={() => save(suggestion, null)}>
          <span className="truncate">{t("useSuggestion", { value: formatFieldValue(field, suggestion, nameOf) ?? "" })}</span>
        </Button>
      )}
      {currentValues && (
        <ChangedMeanwhile
          values={[formatFieldValue(field, currentValues[field.id], nameOf)]}
          fileCount={1}
          onKeep={discard}
          onReplace={() => {
            const typed = draft && parseFieldText(field, draft.text);
            if (typed && "issue" in typed) setIssue(typed.issue);
            else save(typed ? typed.value : (variables?.values[field.id] ?? null), currentValues[field.id] ?? null);
          }}
        />
      )}
    </div>
  );
}
