import { ChevronRight, Folder, FolderOpen } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/files.ts";
import { typed } from "../../model/selection.ts";
import { treeMove, treeRows, type TreeRow } from "../../model/tree-rows.ts";
import { alongWith, folderPath } from "../../model/url-state.ts";
import { useFilesRoom } from "../files-room.ts";

/** Pixels that a level stands further in. */
const INDENT = 14;

/** What somebody has opened, for as long as the page lives: the way back from a file finds it as it was. */
const opened = new Map<number, ReadonlySet<number>>();

/** The project's folders; the one that is shown is marked, and the way to it is open. */
export function FolderTree() {
  const { project, folder, tree, shown } = useFilesRoom();
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const way = useMemo(() => tree.wayTo(folder.id), [tree, folder.id]);
  const root = way[0] ?? folder;
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set([...(opened.get(project.id) ?? []), ...way.map(({ id }) => id)]));
  const [shownFolder, setShownFolder] = useState(folder.id);
  // Whoever goes to a folder sees where it lies; afterwards its parents may be closed again.
  if (shownFolder !== folder.id) {
    setShownFolder(folder.id);
    setOpen(new Set([...open, ...way.map(({ id }) => id)]));
  }
  useEffect(() => void opened.set(project.id, open), [project.id, open]);
  const rows = useMemo(() => treeRows(tree, root, open), [tree, root, open]);
  const [at, setAt] = useState(folder.id);
  const stop = rows.some(({ id }) => id === at) ? at : rows.some(({ id }) => id === folder.id) ? folder.id : root.id;

  const elementOf = (id: number) => box.current?.querySelector<HTMLElement>(`[data-folder="${id}"]`);
  useEffect(() => {
    // Braces: browsers answer with a promise, which is no clean-up.
    elementOf(folder.id)?.scrollIntoView({ block: "nearest" });
  }, [folder.id]);
  const go = (id: number) => void navigate(folderPath(project.id, id === root.id ? null : id) + alongWith(shown));
  const setOne = (id: number, isOpen: boolean) => setOpen(new Set(isOpen ? [...open, id] : [...open].filter((one) => one !== id)));

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const move = treeMove(rows, stop, event.key);
    if (move && "focus" in move) elementOf(move.focus)?.focus();
    else if (move) setOne("open" in move ? move.open : move.close, "open" in move);
    else if (event.key === "Enter" || event.key === " ") go(stop);
    else if (event.key === "*") setOpen(new Set([...open, ...tree.below(tree.get(stop)?.parent_id ?? null).map(({ id }) => id)]));
    else if (event.key.length === 1 && event.key !== "/" && event.key !== "?") {
      const found = typed(rows, stop, event.key);
      if (found === undefined) return;
      elementOf(found)?.focus();
    } else return;
    event.preventDefault();
  }

  return (
    <div className="flex w-55 shrink-0 flex-col border-r border-line bg-bg">
      <div ref={box} role="tree" aria-label={t("folders")} onKeyDown={onKeyDown} className="min-h-0 flex-1 overflow-auto py-2">
        {rows.map((row) => (
          <Item
            key={row.id}
            row={row}
            current={row.id === folder.id}
            tab={row.id === stop}
            onOpen={() => go(row.id)}
            onToggle={() => setOne(row.id, !row.open)}
            onFocus={() => setAt(row.id)}
          />
        ))}
      </div>
    </div>
  );
}

interface ItemProps {
  row: TreeRow;
  /** It is the one that is shown. */
  current: boolean;
  tab: boolean;
  onOpen(): void;
  onToggle(): void;
  onFocus(): void;
}

function Item({ row, current, tab, onOpen, onToggle, onFocus }: ItemProps) {
  const name = row.parentId === null ? t("root") : row.name;
  const Icon = current ? FolderOpen : Folder;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree around it listens to the keys
    <div
      role="treeitem"
      data-folder={row.id}
      draggable={row.parentId !== null}
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.of}
      aria-expanded={row.open ?? undefined}
      aria-selected={current}
      aria-label={name}
      title={name}
      tabIndex={tab ? 0 : -1}
      onClick={onOpen}
      onFocus={onFocus}
      className={classes(
        "mx-2 flex h-8 cursor-pointer items-center gap-1 rounded-sm pr-2 text-text-2 hover:bg-hover focus-visible:-outline-offset-2",
        current && "bg-raised font-medium text-text",
      )}
      style={{ paddingLeft: (row.level - 1) * INDENT + 2 }}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- for the mouse; the keys are the tree's */}
      <span
        aria-hidden
        onClick={(event) => {
          event.stopPropagation();
          if (row.open !== null) onToggle();
        }}
        className="flex size-6 shrink-0 items-center justify-center"
      >
        {row.open !== null && <ChevronRight size={14} className={classes("transition-transform", row.open && "rotate-90")} />}
      </span>
      <Icon size={16} aria-hidden className={classes("shrink-0", current && "text-accent-text")} />
      <bdi className="truncate pl-1">{name}</bdi>
    </div>
  );
}
