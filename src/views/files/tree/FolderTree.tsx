import { ChevronRight, Folder, FolderOpen } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { useClient } from "../../../client/client.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/files.ts";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { findByPrefix } from "../selection.ts";
import { formatSortState, folderPath } from "../url-state.ts";
import { treeKeyAction, buildTreeRows, type TreeRow } from "./tree-rows.ts";

/** Indentation per level in pixels. */
const INDENT_PX = 14;

/** Renders the project's folders. The folder shown is marked, and the path to it is expanded. */
export function FolderTree() {
  const { project, folder, tree, urlState } = useFilesContext();
  const { openFolders } = useClient().viewMemory;
  const navigate = useNavigate();
  const container = useRef<HTMLDivElement>(null);
  const path = useMemo(() => tree.pathTo(folder.id), [tree, folder.id]);
  const root = path[0] ?? folder;
  const [openIds, setOpenIds] = useState<ReadonlySet<number>>(() => new Set([...(openFolders.get(project.id) ?? []), ...path.map(({ id }) => id)]));
  const [lastFolderId, setLastFolderId] = useState(folder.id);
  // Expands the path to a newly opened folder. Its parents can be collapsed again afterwards.
  if (lastFolderId !== folder.id) {
    setLastFolderId(folder.id);
    setOpenIds(new Set([...openIds, ...path.map(({ id }) => id)]));
  }
  useEffect(() => void openFolders.set(project.id, openIds), [openFolders, project.id, openIds]);
  const rows = useMemo(() => buildTreeRows(tree, root, openIds), [tree, root, openIds]);
  const [focusedId, setFocusedId] = useState(folder.id);
  const tabStopId = rows.some(({ id }) => id === focusedId) ? focusedId : rows.some(({ id }) => id === folder.id) ? folder.id : root.id;

  const findElement = (id: number) => container.current?.querySelector<HTMLElement>(`[data-folder="${id}"]`);
  useEffect(() => {
    // The braces discard the return value, because some browsers return a promise, which is not a cleanup function.
    findElement(folder.id)?.scrollIntoView({ block: "nearest" });
  }, [folder.id]);
  const openFolder = (id: number) => void navigate(folderPath(project.id, id === root.id ? null : id) + formatSortState(urlState));
  const setFolderOpen = (id: number, isOpen: boolean) => setOpenIds(new Set(isOpen ? [...openIds, id] : [...openIds].filter((openId) => openId !== id)));

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const action = treeKeyAction(rows, tabStopId, event.key);
    if (action && "focus" in action) findElement(action.focus)?.focus();
    else if (action) setFolderOpen("open" in action ? action.open : action.close, "open" in action);
    else if (event.key === "Enter" || event.key === " ") openFolder(tabStopId);
    else if (event.key === "*") setOpenIds(new Set([...openIds, ...tree.childrenOf(tree.get(tabStopId)?.parent_id ?? null).map(({ id }) => id)]));
    else if (event.key.length === 1 && event.key !== "/" && event.key !== "?") {
      const matchId = findByPrefix(rows, tabStopId, event.key);
      if (matchId === undefined) return;
      findElement(matchId)?.focus();
    } else return;
    event.preventDefault();
  }

  return (
    <div className="flex w-55 shrink-0 flex-col border-r border-line bg-bg">
      <div ref={container} role="tree" aria-label={t("folders")} onKeyDown={onKeyDown} className="min-h-0 flex-1 overflow-auto py-2">
        {rows.map((row) => (
          <TreeItem
            key={row.id}
            row={row}
            isCurrent={row.id === folder.id}
            isTabStop={row.id === tabStopId}
            onOpen={() => openFolder(row.id)}
            onToggle={() => setFolderOpen(row.id, !row.isExpanded)}
            onFocus={() => setFocusedId(row.id)}
          />
        ))}
      </div>
    </div>
  );
}

interface TreeItemProps {
  row: TreeRow;
  /** True if this folder is the one shown. */
  isCurrent: boolean;
  isTabStop: boolean;
  onOpen(): void;
  onToggle(): void;
  onFocus(): void;
}

function TreeItem({ row, isCurrent, isTabStop, onOpen, onToggle, onFocus }: TreeItemProps) {
  const name = folderName({ name: row.name, parent_id: row.parentId });
  const Icon = isCurrent ? FolderOpen : Folder;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the surrounding tree handles the keys
    <div
      role="treeitem"
      data-folder={row.id}
      draggable={row.parentId !== null}
      aria-level={row.level}
      aria-posinset={row.positionInSet}
      aria-setsize={row.setSize}
      aria-expanded={row.isExpanded ?? undefined}
      aria-selected={isCurrent}
      aria-label={name}
      title={name}
      tabIndex={isTabStop ? 0 : -1}
      onClick={onOpen}
      onFocus={onFocus}
      className={classNames(
        "mx-2 flex h-8 cursor-pointer items-center gap-1 rounded-sm pr-2 text-text-2 hover:bg-hover focus-visible:-outline-offset-2",
        isCurrent && "bg-raised font-medium text-text",
      )}
      style={{ paddingLeft: (row.level - 1) * INDENT_PX + 2 }}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- for the mouse; the tree handles keys */}
      <span
        aria-hidden
        onClick={(event) => {
          event.stopPropagation();
          if (row.isExpanded !== null) onToggle();
        }}
        className="flex size-6 shrink-0 items-center justify-center"
      >
        {row.isExpanded !== null && <ChevronRight size={14} className={classNames("transition-transform", row.isExpanded && "rotate-90")} />}
      </span>
      <Icon size={16} aria-hidden className={classNames("shrink-0", isCurrent && "text-accent-text")} />
      <bdi className="truncate pl-1">{name}</bdi>
    </div>
  );
}
