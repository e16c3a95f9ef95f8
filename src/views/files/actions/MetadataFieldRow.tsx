import { useRef } from "react";
import { flushSync } from "react-dom";
import type { FileMetadata, MetadataField } from "../../../../contract/metadata-records.ts";
import { FieldControl } from "../../../components/metadata/FieldControl.tsx";
import { ChangedMeanwhile } from "../../../components/metadata/ChangedMeanwhile.tsx";
import { editedText, formatFieldValue } from "../../../components/metadata/field-values.ts";
import { useMembersOfField } from "../../../components/metadata/use-members-of-field.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { countOthers, type Draft, fieldValues, filesChangedMeanwhile, isTyped, parseDraft, sharedValue, toDraft } from "./metadata-edit.ts";

interface MetadataFieldRowProps {
  projectId: number;
  field: MetadataField;
  files: readonly FileMetadata[];
  draft: Draft | undefined;
  issue: string | undefined;
  onDraftChange(draft: Draft | undefined): void;
}

/** Edits one field of several files. As long as nothing is entered, it shows the value that they share, or that they differ. */
export function MetadataFieldRow({ projectId, field, files, draft, issue, onDraftChange }: MetadataFieldRowProps) {
  const row = useRef<HTMLDivElement>(null);
  const shared = sharedValue(files, field.id);
  const value = draft ? draft.value : (shared ?? null);
  const { people, nameOf } = useMembersOfField(projectId, field, value ?? undefined);
  const isMixed = shared === undefined && !draft;
  const parsed = draft && parseDraft(field, draft);
  // A date shows no placeholder, and a placeholder is no description.
  const mixedHint = isMixed && isTyped(field) ? [t("mixedHint"), field.help].join(" ").trim() : undefined;
  const hint =
    parsed && "value" in parsed && files.length > 1 ? t("changes", { count: countOthers(files, field.id, parsed.value), total: files.length }) : mixedHint;
  const changed = draft ? filesChangedMeanwhile(field, draft, files) : [];
  const enter = (entered: Omit<Draft, "replaced">) =>
    onDraftChange(toDraft(field, shared, { ...entered, replaced: draft?.replaced ?? fieldValues(files, field.id) }));
  /** The pressed button may leave, so the focus moves to the field's control. */
  const decide = (decided: Draft | undefined) => {
    flushSync(() => onDraftChange(decided));
    row.current?.querySelector<HTMLElement>('input, textarea, [aria-haspopup="listbox"]')?.focus();
  };
  return (
    <div ref={row} className="min-w-0">
      <FieldControl
        field={field}
        value={value}
        people={people}
        text={draft ? draft.text : editedText(shared ?? undefined)}
        error={issue}
        hint={hint}
        mixedLabel={isMixed ? t("mixed") : undefined}
        placeholder={isMixed ? t("mixed") : draft ? t("noValue") : undefined}
        listsCheckbox={files.length > 1}
        aside={
          (draft || isMixed) && (
            <button
              type="button"
              aria-label={t(draft ? "reset" : "clear", { field: field.name })}
              onClick={() => (draft ? decide(undefined) : onDraftChange({ text: "", value: null, replaced: fieldValues(files, field.id) }))}
              className="-my-0.5 min-h-6 shrink-0 rounded-sm px-1 text-sm font-medium text-accent-text hover:underline"
            >
              {t(draft ? "resetShort" : "clearShort")}
            </button>
          )
        }
        onTextChange={(text) => enter({ text, value: null })}
        onChoose={(chosen) => enter({ text: "", value: chosen })}
      />
      {draft && changed.length > 0 && (
        <ChangedMeanwhile
          values={changed.map(({ values }) => formatFieldValue(field, values[field.id], nameOf))}
          fileCount={files.length}
          onKeep={() => decide(undefined)}
          onReplace={() => decide({ ...draft, replaced: fieldValues(files, field.id) })}
        />
      )}
    </div>
  );
}
