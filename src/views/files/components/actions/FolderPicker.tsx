import { ChevronRight, Folder } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import type { Tree } from "../../../../queries/file-lists/tree.ts";
import { moveBy, rowsOf } from "../../model/picker.ts";

interface Props {
  tree: Tree<FileEntry>;
  chosen: number;
  onChoose(id: number): void;
  /** Why a folder cannot be chosen, or null. */
  refusal(id: number): string | null;
  nameOf(folder: FileEntry): string;
}

/** Every folder of the project as a tree, one of them chosen. */
export function FolderPicker({ tree, chosen, onChoose, refusal, nameOf }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(tree.wayTo(chosen).map(({ id }) => id)));
  const rows = rowsOf(tree, open);
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
      {rows.map(({ folder, level, hasChildren, open: isOpen }) => {
        const { id } = folder;
        const why = refusal(id);
        return (
          <div
            key={id}
            role="treeitem"
            data-id={id}
            aria-level={level + 1}
            aria-expanded={hasChildren ? isOpen : undefined}
            aria-selected={id === chosen}
            aria-disabled={why !== null || undefined}
            title={why ?? undefined}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
            onDoubleClick={() => toggle(id, !isOpen)}
            onKeyDown={(event) => {
              const move = moveBy(rows, id, event.key);
              if (!move) return;
              event.preventDefault();
              if (move.type === "go") onChoose(move.id);
              else toggle(move.id, move.type === "open");
            }}
            className={classes(
              "flex min-h-8 cursor-default items-center gap-1.5 rounded-sm pr-2 select-none focus-visible:outline-offset-[-2px]",
              id === chosen ? "bg-accent-soft" : "hover:bg-hover",
              why !== null && "text-text-3",
            )}
          >
            <Indent level={level} />
            {/* A part of its row: the keys open it. */}
            <span
              aria-hidden
              onClick={(event) => {
                event.stopPropagation();
                toggle(id, !isOpen);
              }}
              className={classes("flex size-6 shrink-0 items-center justify-center rounded-sm", hasChildren ? "hover:bg-hover" : "invisible")}
            >
              <ChevronRight size={14} className={isOpen ? "rotate-90" : undefined} />
            </span>
            <Folder size={16} aria-hidden className="shrink-0 text-text-2" />
            <bdi className="min-w-0 truncate">{nameOf(folder)}</bdi>
          </div>
        );
      })}
    </div>
  );
}

const DEEPEST_SHOWN = 12;
/** Steps of one width: the page's CSP allows no inline styles from markup. */
const Indent = ({ level }: { level: number }) =>
  Array.from({ length: Math.min(level, DEEPEST_SHOWN) }, (_, index) => <span key={index} aria-hidden className="w-4 shrink-0" />);
