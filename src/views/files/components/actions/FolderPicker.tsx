import { ChevronRight, Folder } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import type { Tree } from "../../../../queries/file-lists/tree.ts";
import { treeMove, treeRows } from "../../model/tree-rows.ts";

/** Pixels that a level stands further in. */
const INDENT = 16;

interface Props {
  tree: Tree<FileEntry>;
  chosen: number;
  onChoose(id: number): void;
  /** Why a folder cannot be chosen, or null. */
  refusal(id: number): string | null;
  nameOf(folder: Pick<FileEntry, "name" | "parent_id">): string;
}

/** Every folder of the project as a tree, one of them chosen. */
export function FolderPicker({ tree, chosen, onChoose, refusal, nameOf }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(tree.wayTo(chosen).map(({ id }) => id)));
  const [shown, setShown] = useState(chosen);
  // Whatever is chosen can be seen, also a folder that was just made in one that is closed.
  if (shown !== chosen) {
    setShown(chosen);
    setOpen(new Set([...open, ...tree.wayTo(chosen).map(({ id }) => id)]));
  }
  const [root] = tree.wayTo(chosen);
  const rows = useMemo(() => (root ? treeRows(tree, root, open) : []), [tree, root, open]);
  const toggle = (id: number, isOpen: boolean) =>
    setOpen((now) => {
      const next = new Set(now);
      if (isOpen) next.add(id);
      else next.delete(id);
      return next;
    });
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>(`[data-id="${chosen}"]`);
    row?.scrollIntoView({ block: "nearest" });
    if (list.current?.contains(document.activeElement)) row?.focus();
  }, [chosen]);
  return (
    <div ref={list} role="tree" aria-label={t("folders")} className="h-64 max-h-[40dvh] overflow-y-auto rounded-md border border-line bg-bg p-1">
      {rows.map((row) => {
        const { id, level } = row;
        const why = refusal(id);
        return (
          <div
            key={id}
            role="treeitem"
            data-id={id}
            aria-level={level}
            aria-posinset={row.place}
            aria-setsize={row.of}
            aria-expanded={row.open ?? undefined}
            aria-selected={id === chosen}
            aria-disabled={why !== null || undefined}
            title={why ?? undefined}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
            onDoubleClick={() => toggle(id, !row.open)}
            onKeyDown={(event) => {
              const to = treeMove(rows, id, event.key);
              if (!to) return;
              event.preventDefault();
              if ("focus" in to) onChoose(to.focus);
              else toggle("open" in to ? to.open : to.close, "open" in to);
            }}
            className={classes(
              "flex min-h-8 cursor-default items-center gap-1.5 rounded-sm pr-2 select-none focus-visible:outline-offset-[-2px]",
              id === chosen ? "bg-accent-soft" : "hover:bg-hover",
              why !== null && "text-text-3",
            )}
            style={{ paddingLeft: (level - 1) * INDENT }}
          >
            {/* A part of its row: the keys open it. */}
            <span
              aria-hidden
              onClick={(event) => {
                event.stopPropagation();
                toggle(id, !row.open);
              }}
              className={classes("flex size-6 shrink-0 items-center justify-center rounded-sm", row.open !== null ? "hover:bg-hover" : "invisible")}
            >
              <ChevronRight size={14} className={row.open ? "rotate-90" : undefined} />
            </span>
            <Folder size={16} aria-hidden className="shrink-0 text-text-2" />
            <bdi className="min-w-0 truncate">{nameOf({ name: row.name, parent_id: row.parentId })}</bdi>
          </div>
        );
      })}
    </div>
  );
}
