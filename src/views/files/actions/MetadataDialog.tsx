import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { FileMetadata, MetadataTemplate } from "../../../../contract/metadata-records.ts";
import { ErrorNotice, LoadError } from "../../../components/ErrorNotice.tsx";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { currentValuesOf } from "../../../queries/metadata/use-file-metadata.ts";
import { templatesForKind, useTemplates } from "../../../queries/metadata/use-templates.ts";
import { useChangeValues, useValuesOfFiles } from "../../../queries/metadata/values-of-files.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";
import { submitTo } from "../../../ui/text-input.ts";
import { useFilesContext } from "../files-context.ts";
import { type Draft, filesAsSeen, filesChangedBy, filesChangedMeanwhile, parseDrafts } from "./metadata-edit.ts";
import { MetadataFieldRow } from "./MetadataFieldRow.tsx";
import { useOfferMetadataUndo } from "./use-offer-metadata-undo.ts";

/** Edits the metadata fields that all of the selected files have; the fields that were touched are saved for all files, or for none. */
export function MetadataDialog({ entries, onClose }: { entries: readonly FileEntry[]; onClose(): void }) {
  const { project } = useFilesContext();
  const ids = useMemo(() => entries.map(({ id }) => id), [entries]);
  const values = useValuesOfFiles(project.id, ids);
  const templates = useTemplates(project.team_id).data ?? [];
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const common = templates.filter((template) => kinds.every((kind) => templatesForKind([template], kind).length > 0));
  const name = entries[0]?.name ?? "";
  return (
    <Dialog title={t("editTitle", { count: entries.length, name })} onClose={onClose} width="sm">
      {common.length === 0 ? (
        <p className="text-text-2">{t("noCommonFields")}</p>
      ) : values.data ? (
        <MetadataForm projectId={project.id} templates={common} files={values.data} entries={entries} onClose={onClose} />
      ) : values.error ? (
        <LoadError error={values.error} retry={() => void values.refetch()} />
      ) : (
        <RowsSkeleton rows={4} />
      )}
    </Dialog>
  );
}

interface MetadataFormProps {
  projectId: number;
  templates: readonly MetadataTemplate[];
  files: readonly FileMetadata[];
  entries: readonly FileEntry[];
  onClose(): void;
}

function MetadataForm({ projectId, templates, files, entries, onClose }: MetadataFormProps) {
  const change = useChangeValues(projectId);
  const offerUndo = useOfferMetadataUndo(projectId);
  const form = useRef<HTMLFormElement>(null);
  const [drafts, setDrafts] = useState<ReadonlyMap<number, Draft>>(new Map());
  const [issues, setIssues] = useState<ReadonlyMap<number, string>>(new Map());
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [issues]);
  const count = files.length;

  function setDraft(fieldId: number, draft: Draft | undefined) {
    const next = new Map(drafts);
    if (draft) next.set(fieldId, draft);
    else next.delete(fieldId);
    setDrafts(next);
    // The notice that somebody was faster has been read; the fields say where.
    if (currentValuesOf(change.error)) change.reset();
    if (issues.has(fieldId)) setIssues(new Map([...issues].filter(([id]) => id !== fieldId)));
  }
  function submit() {
    const fields = templates.flatMap((template) => template.fields);
    const parsed = parseDrafts(fields, drafts);
    setIssues(parsed.issues);
    if (drafts.size === 0 || parsed.issues.size > 0 || change.isPending) return;
    // The person first decides about what others have changed.
    const isUndecided = fields.some((field) => {
      const draft = drafts.get(field.id);
      return draft && filesChangedMeanwhile(field, draft, files).length > 0;
    });
    if (isUndecided) return form.current?.querySelector<HTMLElement>('[role="alert"] button')?.focus();
    const { values } = parsed;
    const before = filesAsSeen(files, drafts, values);
    const changed = filesChangedBy(before, values);
    const [first] = changed;
    if (!first) return onClose();
    const onSuccess = () => {
      const name = entries.find(({ id }) => id === first.file_id)?.name ?? "";
      offerUndo(t("savedFor", { count: changed.length, name }), before, values);
      onClose();
    };
    change.mutate({ before, values }, { onSuccess });
  }
  return (
    <form ref={form} noValidate onSubmit={submitTo(submit)} className="flex flex-col gap-4">
      {templates.map((template) => (
        <fieldset key={template.id} className="flex min-w-0 flex-col gap-4">
          <legend className={templates.length > 1 ? "mb-3 font-semibold" : "sr-only"}>{template.name}</legend>
          {template.fields.map((field) => (
            <MetadataFieldRow
              key={field.id}
              projectId={projectId}
              field={field}
              files={files}
              draft={drafts.get(field.id)}
              issue={issues.get(field.id)}
              onDraftChange={(draft) => setDraft(field.id, draft)}
            />
          ))}
        </fieldset>
      ))}
      <ErrorNotice error={change.error} />
      <DialogActions>
        <Button onClick={onClose}>{tCommon("cancel")}</Button>
        <Button type="submit" variant="primary" pending={change.isPending} disabled={drafts.size === 0}>
          {t("setFor", { count })}
        </Button>
      </DialogActions>
    </form>
  );
}
