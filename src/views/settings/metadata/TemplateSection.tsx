import { Pencil, Plus, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import type { MetadataField, MetadataTemplate } from "../../../../contract/metadata-records.ts";
import { ListSection } from "../../../components/ListSection.tsx";
import { t } from "../../../lib/texts/metadata-settings.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useMoveField } from "../../../queries/metadata/use-template-order.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { ReorderableRow, useReorder } from "../../../ui/ReorderableRow.tsx";
import { useFocusAfterRemoval } from "../../../ui/use-focus-after-removal.ts";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { FieldForm } from "./FieldForm.tsx";

interface TemplateSectionProps {
  teamId: number;
  template: MetadataTemplate;
  canManage: boolean;
  onEdit(): void;
  onDelete(): void;
}

type ActiveDialog = { kind: "new" } | { kind: "edit" | "delete"; fieldId: number };

/** Shows one template with its fields in order; dragging a row by its handle or pressing arrow keys on the handle moves it. */
export function TemplateSection({ teamId, template, canManage, onEdit, onDelete }: TemplateSectionProps) {
  const { fields } = template;
  const move = useMoveField(teamId);
  const [dialog, setDialog] = useState<ActiveDialog | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const focusAddButton = useFocusAfterRemoval(addButton);
  const close = () => setDialog(null);
  // Another user may have deleted the field of the open dialog.
  const dialogField = dialog && dialog.kind !== "new" ? fields.find(({ id }) => id === dialog.fieldId) : undefined;

  const latestFields = () => move.latest().find(({ id }) => id === template.id)?.fields ?? [];
  const reorder = useReorder({
    count: fields.length,
    indexOf: (id) => latestFields().findIndex((field) => field.id === id),
    onMove(id, position) {
      const field = latestFields().find((one) => one.id === id);
      if (!field) return;
      move.mutate({ id, position });
      announce(t("moved", { name: field.name, position: position + 1, count: fields.length }));
    },
  });
  return (
    <>
      <ListSection
        title={template.name}
        lead={`${template.kinds === null ? t("allKinds") : template.kinds.map((kind) => t(kind)).join(", ")} · ${t("fieldCount", { count: fields.length })}`}
        actions={
          canManage && (
            <span className="flex items-center gap-1">
              <IconButton icon={Pencil} iconSize={16} label={t("edit", { name: template.name })} onClick={onEdit} />
              <IconButton icon={Trash2} iconSize={16} label={t("delete", { name: template.name })} onClick={onDelete} />
              <Button
                icon={Plus}
                ref={addButton}
                size="sm"
                aria-label={t("addFieldTo", { name: template.name })}
                disabled={fields.length >= LIMITS.metadata_fields_per_template}
                onClick={() => setDialog({ kind: "new" })}
              >
                {t("addField")}
              </Button>
            </span>
          )
        }
      >
        {fields.length === 0 && <p className="py-3.5 text-text-2">{t("noFields")}</p>}
        <ol>
          {fields.map((field, index) => (
            <ReorderableRow
              key={field.id}
              reorder={reorder}
              id={field.id}
              index={index}
              handleLabel={canManage ? t("move", { name: field.name, position: index + 1, count: fields.length }) : null}
              className="-mx-4 min-h-12 items-center gap-2 border-b border-line px-4 py-1.5 last:border-0"
            >
              <FieldFacts field={field} />
              {canManage && (
                <>
                  <IconButton
                    icon={Pencil}
                    iconSize={16}
                    label={t("edit", { name: field.name })}
                    onClick={() => setDialog({ kind: "edit", fieldId: field.id })}
                  />
                  <IconButton
                    icon={Trash2}
                    iconSize={16}
                    label={t("delete", { name: field.name })}
                    onClick={() => setDialog({ kind: "delete", fieldId: field.id })}
                  />
                </>
              )}
            </ReorderableRow>
          ))}
        </ol>
        {move.error && (
          <Notice title={t("moveFailed")} className="my-3">
            {describeError(move.error).title}
          </Notice>
        )}
      </ListSection>
      {dialog?.kind === "new" && <FieldForm teamId={teamId} template={template} field={null} onClose={close} />}
      {dialog?.kind === "edit" && dialogField && <FieldForm teamId={teamId} template={template} field={dialogField} onClose={close} />}
      {dialog?.kind === "delete" && dialogField && (
        <DeleteDialog teamId={teamId} template={template} field={dialogField} onDeleted={focusAddButton} onClose={close} />
      )}
    </>
  );
}

function FieldFacts({ field: { name, type, options, tag } }: { field: MetadataField }) {
  const details = [t(type), ...(options.length > 0 ? [options.map((option) => option.name).join(", ")] : []), ...(tag === null ? [] : [t("tagged", { tag })])];
  return (
    <div className="min-w-0 flex-1">
      <p className="truncate font-medium">
        <bdi>{name}</bdi>
      </p>
      <p className="truncate text-sm text-text-2" title={details.join(" · ")}>
        {details.join(" · ")}
      </p>
    </div>
  );
}
