import { ChevronRight, Folder as FolderIcon, FolderOpen, GripVertical, Trash2 } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components/Button";
import { Tree, TreeItem, TreeItemContent } from "react-aria-components/Tree";
import { useDragAndDrop } from "react-aria-components/useDragAndDrop";
import { Link, useNavigate } from "react-router";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { listDeletedFiles } from "../../../../contract/operations/files-view.ts";
import { useClient } from "../../../client/client.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/files.ts";
import { type FolderHierarchy, sortFolders } from "../../../queries/file-lists/folder-tree.ts";
import { useDropContext } from "../actions/drag-and-drop.tsx";
import { folderName } from "../entry-labels.ts";
import { findByPrefix } from "../list/entry-collection.ts";
import { deletedFilesPath, folderPath } from "../url-state.ts";

/** Indentation per level in pixels. */
const INDENT_PX = 14;

interface FolderTreeProps {
  projectId: number;
  /** The folder shown, which is marked. */
  folder: FileEntry;
  tree: FolderHierarchy<FileEntry>;
  /** Query string to keep in another folder. */
  search: string;
}

/** Renders the project's folders beside the list. Its props do not change with the selection in the list. */
export const FolderTree = memo(function FolderTree({ projectId, folder, tree, search }: FolderTreeProps) {
  const { api, viewMemory } = useClient();
  const { openFolders } = viewMemory;
  const navigate = useNavigate();
  const { startDrag, endDrag, getDragItems, getDropOperation, enter, leave, drop } = useDropContext();
  /** Returns the folder at the target, which may have been deleted during the drag. */
  const folderAt = (target: { type: string; key?: string | number; dropPosition?: string }) =>
    target.type === "item" && target.dropPosition === "on" ? tree.get(Number(target.key)) : undefined;
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: getDragItems,
    onDragStart: ({ keys }) => startDrag([...keys].flatMap((key) => tree.get(Number(key)) ?? [])),
    onDragEnd: endDrag,
    getDropOperation(target) {
      const targetFolder = folderAt(target);
      return targetFolder ? getDropOperation(targetFolder) : "cancel";
    },
    onDropEnter({ target }) {
      const targetFolder = folderAt(target);
      if (targetFolder) enter(targetFolder);
    },
    onDropExit: ({ target }) => target.type === "item" && leave(Number(target.key)),
    onDrop({ target }) {
      const targetFolder = folderAt(target);
      if (targetFolder) drop(targetFolder);
    },
  });
  return (
    <div className="flex w-55 shrink-0 flex-col border-r border-line bg-bg">
      <FolderPicker
        label={t("folders")}
        tree={tree}
        selectedId={folder.id}
        initialOpenIds={openFolders.get(projectId)}
        onOpenIdsChange={(openIds) => void openFolders.set(projectId, openIds)}
        onSelect={(id) => void navigate(folderPath(projectId, tree.pathTo(id).length > 1 ? id : null) + search)}
        dragAndDropHooks={dragAndDropHooks}
        className="flex-1 py-2"
      />
      {api.offers(listDeletedFiles) && (
        <Link to={deletedFilesPath(projectId)} className="flex min-h-9 items-center gap-2 border-t border-line px-3 text-text-2 hover:bg-hover hover:text-text">
          <Trash2 size={15} aria-hidden />
          {t("recentlyDeleted")}
        </Link>
      )}
    </div>
  );
});

interface FolderPickerProps {
  label: string;
  tree: FolderHierarchy<FileEntry>;
  selectedId: number;
  onSelect(id: number): void;
  initialOpenIds?: ReadonlySet<number> | undefined;
  onOpenIdsChange?(openIds: ReadonlySet<number>): void;
  /** True if arrow keys select, and not only move the focus. */
  selectsOnFocus?: boolean;
  /** Returns why a folder cannot be chosen, or null. */
  getDisabledReason?(id: number): string | null;
  dragAndDropHooks?: ComponentProps<typeof Tree>["dragAndDropHooks"];
  className: string;
}

/** Renders folders as a tree in which one is selected. The path to it is expanded, and can be collapsed again. */
export function FolderPicker(props: FolderPickerProps) {
  const { label, tree, selectedId, onSelect, initialOpenIds, onOpenIdsChange, selectsOnFocus = false, dragAndDropHooks, className } = props;
  const container = useRef<HTMLDivElement>(null);
  const path = tree.pathTo(selectedId);
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(() => new Set([...(initialOpenIds ?? []), ...path.map(({ id }) => id)]));
  const [lastSelectedId, setLastSelectedId] = useState(selectedId);
  if (lastSelectedId !== selectedId) {
    setLastSelectedId(selectedId);
    setOpenIds(new Set([...openIds, ...path.map(({ id }) => id)]));
  }
  useEffect(() => onOpenIdsChange?.(openIds), [openIds]); // oxlint-disable-line react-hooks/exhaustive-deps
  useEffect(() => {
    // The braces discard the return value, because some browsers return a promise, which is not a cleanup function.
    container.current?.querySelector(`[data-key="${selectedId}"]`)?.scrollIntoView({ block: "nearest" });
  }, [selectedId]);

  const toggle = (id: number) => setOpenIds(new Set(openIds.has(id) ? [...openIds].filter((openId) => openId !== id) : [...openIds, id]));
  /** Handles the keys that react-aria lacks or handles differently. */
  function onKeyDownCapture(event: KeyboardEvent) {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || target.role !== "row") return;
    if (event.altKey || event.ctrlKey || event.metaKey) {
      // With Alt, the browser goes back or forward. The library would collapse or expand the folder.
      if (key === "ArrowLeft" || key === "ArrowRight") event.stopPropagation();
      return;
    }
    const rows = [...container.current!.querySelectorAll<HTMLElement>("[role=row]")];
    const id = Number(target.dataset["key"]);
    if (key === "ArrowRight" && target.ariaExpanded === "true") rows[rows.indexOf(target) + 1]?.focus();
    else if (key === "*") setOpenIds(new Set([...openIds, ...tree.childrenOf(tree.get(id)?.parent_id ?? null).map((sibling) => sibling.id)]));
    else if (key.length === 1 && key !== " " && key !== "/" && key !== "?") {
      const names = rows.map((row) => ({ id: Number(row.dataset["key"]), name: row.ariaLabel ?? "" }));
      const matchId = findByPrefix(names, id, key);
      rows.find((row) => Number(row.dataset["key"]) === matchId)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const [root] = path;
  return (
    <div ref={container} role="none" onKeyDownCapture={onKeyDownCapture} className={classNames("min-h-0 overflow-y-auto", className)}>
      <Tree
        aria-label={label}
        selectionMode="single"
        selectionBehavior={selectsOnFocus ? "replace" : "toggle"}
        selectedKeys={[selectedId]}
        // Without a key, the selected folder was pressed again.
        onSelectionChange={(keys) => keys !== "all" && onSelect(Number([...keys][0] ?? selectedId))}
        escapeKeyBehavior="none"
        expandedKeys={openIds}
        onExpandedChange={(keys) => setOpenIds(new Set([...keys].map(Number)))}
        {...(dragAndDropHooks && { dragAndDropHooks })}
        className="outline-none"
      >
        {root && <FolderItem {...props} folder={root} isVisible openIds={openIds} onToggle={toggle} />}
      </Tree>
    </div>
  );
}

interface FolderItemProps extends FolderPickerProps {
  folder: FileEntry;
  /** If false, the parent is collapsed, and the folder only makes it expandable. */
  isVisible: boolean;
  openIds: ReadonlySet<number>;
  onToggle(id: number): void;
}

function FolderItem({ folder, isVisible, ...props }: FolderItemProps) {
  const { tree, selectedId, getDisabledReason, dragAndDropHooks, openIds, onToggle, selectsOnFocus } = props;
  const children = isVisible ? sortFolders(tree.childrenOf(folder.id)) : [];
  const isOpen = openIds.has(folder.id);
  const name = folderName(folder);
  const disabledReason = getDisabledReason?.(folder.id) ?? null;
  const isSelected = folder.id === selectedId;
  const isRoot = folder.parent_id === null;
  const Icon = isSelected ? FolderOpen : FolderIcon;
  return (
    <TreeItem
      id={folder.id}
      textValue={name}
      render={(itemProps) => <div {...itemProps} {...(isRoot && { draggable: false })} aria-disabled={disabledReason !== null || undefined} />}
      className={classNames(
        "mx-2 flex h-8 cursor-pointer items-center rounded-sm pr-2 focus-visible:-outline-offset-2",
        "data-drop-target:bg-accent-soft data-drop-target:outline-2 data-drop-target:-outline-offset-2 data-drop-target:outline-accent",
        isSelected ? (selectsOnFocus ? "bg-accent-soft" : "bg-raised font-medium") : "hover:bg-hover",
        disabledReason === null ? (isSelected || selectsOnFocus ? "text-text" : "text-text-2") : "text-text-3",
      )}
    >
      <TreeItemContent>
        {({ level }) => (
          <div
            title={disabledReason ?? name}
            onDoubleClick={() => selectsOnFocus && onToggle(folder.id)}
            className="flex h-full min-w-0 flex-1 items-center gap-1"
            style={{ paddingLeft: (level - 1) * INDENT_PX + 2 }}
          >
            {children.length > 0 ? (
              <Button slot="chevron" className="flex size-6 shrink-0 items-center justify-center">
                <ChevronRight size={14} aria-hidden className={classNames("transition-transform", isOpen && "rotate-90")} />
              </Button>
            ) : (
              <span className="size-6 shrink-0" />
            )}
            <Icon size={16} aria-hidden className={classNames("shrink-0", isSelected && "text-accent-text")} />
            <bdi className="truncate pl-1">{name}</bdi>
            {dragAndDropHooks && (
              <Button
                slot="drag"
                isDisabled={isRoot}
                className="ml-auto flex size-6 shrink-0 items-center justify-center rounded-sm opacity-0 focus-visible:opacity-100 disabled:hidden"
              >
                <GripVertical size={14} aria-hidden />
              </Button>
            )}
          </div>
        )}
      </TreeItemContent>
      {children.map((child) => (
        <FolderItem key={child.id} {...props} folder={child} isVisible={isOpen} />
      ))}
    </TreeItem>
  );
}
