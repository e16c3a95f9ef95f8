import { ChevronRight, Folder, FolderPlus } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/file-actions.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import type { FolderHierarchy } from "../../../queries/file-lists/folder-tree.ts";
import { moveTargetDisabledReason } from "../../../queries/file-lists/permissions.ts";
import { useFileMutations } from "../../../queries/file-lists/use-file-mutations.ts";
import { useIdempotencyKey } from "../../../queries/operations.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { useFileActionsContext } from "../actions-context.ts";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { uniqueName } from "../names.ts";
import { buildTreeRows, treeKeyAction } from "../tree/tree-rows.ts";
import { RenameField } from "./RenameField.tsx";

/** Indentation per level in pixels. */
const INDENT_PX = 16;

/** Chooses the folder to move the entries to, or creates one. */
export function MoveDialog({ entries, onClose }: { entries: readonly FileEntry[]; onClose(): void }) {
  const { tree, folder } = useFilesContext();
  const { move } = useFileActionsContext();
  const mutations = useFileMutations();
  const [targetId, setTargetId] = useState(folder.id);
  const [nameEdit, setNameEdit] = useState<{ isPending: boolean; error: string | null; text: string } | null>(null);
  const latestEdit = useRef(nameEdit);
  latestEdit.current = nameEdit;
  const idempotencyKeyFor = useIdempotencyKey();
  const target = tree.get(targetId) ?? folder;
  const getDisabledReason = (id: number) => moveTargetDisabledReason(entries, id, tree);
  const disabledReason = getDisabledReason(target.id);

  async function createFolder(name: string) {
    const submitted = { isPending: true, error: null, text: name };
    setNameEdit(submitted);
    try {
      const created = await mutations.createFolder(target, name, idempotencyKeyFor([target.id, name]));
      // The user has closed the field or begun another name meanwhile.
      if (latestEdit.current !== submitted) return;
      setNameEdit(null);
      setTargetId((current) => (current === targetId ? created.id : current));
    } catch (error) {
      setNameEdit((current) => (current === submitted || current === null ? { isPending: false, error: formatErrorReason(error), text: name } : current));
    }
  }
  return (
    <Dialog title={t("moveTitle", { count: entries.length, name: entries[0]!.name })} description={t("moveLead")} onClose={onClose}>
      <FolderPicker tree={tree} selectedId={target.id} onSelect={setTargetId} getDisabledReason={getDisabledReason} />
      <div className="mt-3 min-h-8">
        {nameEdit ? (
          <RenameField
            label={t("newFolderName")}
            text={nameEdit.text}
            isFolder
            error={nameEdit.error}
            isPending={nameEdit.isPending}
            submitLabel={t("create")}
            onSubmit={(name) => void createFolder(name)}
            onClose={() => setNameEdit(null)}
          />
        ) : (
          <Button
            size="sm"
            variant="ghost"
            onClick={() =>
              setNameEdit({
                isPending: false,
                error: null,
                text: uniqueName(
                  t("untitled"),
                  tree.childrenOf(target.id).map(({ name }) => name),
                ),
              })
            }
          >
            <FolderPlus size={16} aria-hidden />
            {t("newFolderHere", { folder: folderName(target) })}
          </Button>
        )}
      </div>
      {disabledReason !== null && target.id !== folder.id && (
        <Notice tone="info" className="mt-2">
          {disabledReason}
        </Notice>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t("cancel")}</Button>
        <Button
          variant="primary"
          disabled={disabledReason !== null || nameEdit !== null}
          onClick={() => {
            onClose();
            move(entries, { id: target.id, name: folderName(target) });
          }}
        >
          <span className="max-w-60 truncate">{t("moveHere", { folder: folderName(target) })}</span>
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface FolderPickerProps {
  tree: FolderHierarchy<FileEntry>;
  selectedId: number;
  onSelect(id: number): void;
  /** Returns why a folder cannot be chosen, or null. */
  getDisabledReason(id: number): string | null;
}

/** Renders the project's folders as a tree to choose one from. */
function FolderPicker({ tree, selectedId, onSelect, getDisabledReason }: FolderPickerProps) {
  const container = useRef<HTMLDivElement>(null);
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(() => new Set(tree.pathTo(selectedId).map(({ id }) => id)));
  const [lastSelectedId, setLastSelectedId] = useState(selectedId);
  // The ancestors of the chosen folder are expanded, even for a folder just created in a collapsed one.
  if (lastSelectedId !== selectedId) {
    setLastSelectedId(selectedId);
    setOpenIds(new Set([...openIds, ...tree.pathTo(selectedId).map(({ id }) => id)]));
  }
  const [root] = tree.pathTo(selectedId);
  const rows = useMemo(() => (root ? buildTreeRows(tree, root, openIds) : []), [tree, root, openIds]);
  const toggle = (id: number, isOpen: boolean) =>
    setOpenIds((current) => {
      const next = new Set(current);
      if (isOpen) next.add(id);
      else next.delete(id);
      return next;
    });
  useEffect(() => {
    const row = container.current?.querySelector<HTMLElement>(`[data-id="${selectedId}"]`);
    row?.scrollIntoView({ block: "nearest" });
    if (container.current?.contains(document.activeElement)) row?.focus();
  }, [selectedId]);
  return (
    <div ref={container} role="tree" aria-label={t("folders")} className="h-64 max-h-[40dvh] overflow-y-auto rounded-md border border-line bg-bg p-1">
      {rows.map((row) => {
        const { id, level } = row;
        const disabledReason = getDisabledReason(id);
        return (
          <div
            key={id}
            role="treeitem"
            data-id={id}
            aria-level={level}
            aria-posinset={row.positionInSet}
            aria-setsize={row.setSize}
            aria-expanded={row.isExpanded ?? undefined}
            aria-selected={id === selectedId}
            aria-disabled={disabledReason !== null || undefined}
            title={disabledReason ?? undefined}
            tabIndex={id === selectedId ? 0 : -1}
            onClick={() => onSelect(id)}
            onDoubleClick={() => toggle(id, !row.isExpanded)}
            onKeyDown={(event) => {
              const action = treeKeyAction(rows, id, event.key);
              if (!action) return;
              event.preventDefault();
              if ("focus" in action) onSelect(action.focus);
              else toggle("open" in action ? action.open : action.close, "open" in action);
            }}
            className={classNames(
              "flex min-h-8 cursor-default items-center gap-1.5 rounded-sm pr-2 select-none focus-visible:outline-offset-[-2px]",
              id === selectedId ? "bg-accent-soft" : "hover:bg-hover",
              disabledReason !== null && "text-text-3",
            )}
            style={{ paddingLeft: (level - 1) * INDENT_PX }}
          >
            {/* Hidden from assistive technology, because keys on the row expand and collapse it. */}
            <span
              aria-hidden
              onClick={(event) => {
                event.stopPropagation();
                toggle(id, !row.isExpanded);
              }}
              className={classNames("flex size-6 shrink-0 items-center justify-center rounded-sm", row.isExpanded !== null ? "hover:bg-hover" : "invisible")}
            >
              <ChevronRight size={14} className={row.isExpanded ? "rotate-90" : undefined} />
            </span>
            <Folder size={16} aria-hidden className="shrink-0 text-text-2" />
            <bdi className="min-w-0 truncate">{folderName({ name: row.name, parent_id: row.parentId })}</bdi>
          </div>
        );
      })}
    </div>
  );
}
