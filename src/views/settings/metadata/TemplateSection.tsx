import { GripVertical, Pencil, Plus, Trash2 } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import type { MetadataField, MetadataTemplate } from "../../../../contract/metadata-records.ts";
import { ListSection } from "../../../components/ListSection.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/metadata-settings.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useMoveField } from "../../../queries/metadata/use-templates.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { useFocusAfterRemoval } from "../../../ui/use-focus-after-removal.ts";
import { type DragState, indexForKey, rowOffset, useRowDrag } from "../../../ui/use-row-drag.ts";
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
  const [dragState, setDragState] = useState<DragState | null>(null);
  const [dialog, setDialog] = useState<ActiveDialog | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const focusAddButton = useFocusAfterRemoval(addButton);
  const close = () => setDialog(null);
  // Another user may have deleted the field of the open dialog.
  const dialogField = dialog && dialog.kind !== "new" ? fields.find(({ id }) => id === dialog.fieldId) : undefined;

  function moveTo(id: number, position: number) {
    const field = fields.find((one) => one.id === id);
    if (!field || fields.indexOf(field) === position) return;
    move.mutate({ id, position });
    announce(t("moved", { name: field.name, position: position + 1, count: fields.length }));
  }
  const drag = useRowDrag({ count: fields.length, onDragChange: setDragState, onDrop: moveTo });
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
            <li
              key={field.id}
              className={classNames(
                "-mx-4 flex min-h-12 items-center gap-2 border-b border-line px-4 py-1.5 last:border-0",
                dragState && (dragState.id === field.id ? "relative z-1 bg-raised shadow-float" : "transition-transform"),
              )}
              style={dragState ? { transform: `translateY(${dragState.id === field.id ? dragState.offset : rowOffset(index, dragState)}px)` } : undefined}
            >
              {canManage && (
                <button
                  type="button"
                  aria-label={t("move", { name: field.name, position: index + 1, count: fields.length })}
                  data-tooltip={t("move", { name: field.name, position: index + 1, count: fields.length })}
                  {...drag(field.id, index)}
                  onKeyDown={(event: KeyboardEvent) => {
                    const to = event.altKey || event.ctrlKey || event.metaKey ? null : indexForKey(event.key, index, fields.length);
                    if (to === null) return;
                    event.preventDefault();
                    moveTo(field.id, to);
                  }}
                  className="-ml-2 flex size-8 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-text-2 hover:bg-hover active:cursor-grabbing"
                >
                  <GripVertical size={16} aria-hidden />
                </button>
              )}
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
            </li>
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
        <DeleteDialog teamId={teamId} kind="field" record={dialogField} onDeleted={focusAddButton} onClose={close} />
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
