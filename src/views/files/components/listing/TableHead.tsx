import { ArrowDown, ArrowUp } from "lucide-react";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/files.ts";
import { CheckBox } from "./CheckBox.tsx";
import type { Column } from "../../model/columns.ts";
import { toggleSort, type UrlState } from "../../model/url-state.ts";

interface Props {
  columns: readonly Column[];
  template: string;
  /** True if only screen readers get the header, because a phone has no columns. */
  visuallyHidden: boolean;
  urlState: UrlState;
  onUrlStateChange(change: (current: UrlState) => UrlState): void;
  /** True if everything in the list is selected. */
  allSelected: boolean;
  hasSelection: boolean;
  onToggleAll(): void;
}

/** Renders the column headers, which sort by their column. */
export function TableHeader({ columns, template, visuallyHidden, urlState, onUrlStateChange, allSelected, hasSelection, onToggleAll }: Props) {
  const Arrow = urlState.order === "asc" ? ArrowUp : ArrowDown;
  return (
    <div role="rowgroup" className={visuallyHidden ? "sr-only" : "sticky top-0 z-2 border-b border-line bg-surface px-1"}>
      <div role="row" aria-rowindex={1} className="grid h-9 items-center text-sm text-text-2" style={{ gridTemplateColumns: template }}>
        {!visuallyHidden && (
          <span role="columnheader" className="flex justify-center">
            <span className="sr-only">{t("selection")}</span>
            <CheckBox
              label={t("selectAll")}
              checked={allSelected}
              isAlwaysVisible={hasSelection}
              onPress={onToggleAll}
              className="group-hover/list:opacity-100"
            />
          </span>
        )}
        {columns.map(({ name, sort, alignEnd, showsName }) => {
          const isSorted = sort !== null && urlState.sort === sort;
          return (
            <span
              key={name}
              role="columnheader"
              aria-sort={isSorted ? (urlState.order === "asc" ? "ascending" : "descending") : undefined}
              className={classes("flex min-w-0", alignEnd && "justify-end")}
            >
              {sort === null || visuallyHidden ? (
                <span className={name === "uploader" && !showsName ? "sr-only" : "truncate px-2"}>{t(name)}</span>
              ) : (
                <button
                  type="button"
                  onClick={() => onUrlStateChange((current) => toggleSort(current, sort))}
                  className={classes(
                    "inline-flex h-7 min-w-0 items-center gap-1 rounded-sm px-2 hover:bg-hover hover:text-text",
                    alignEnd && "flex-row-reverse",
                    isSorted && "font-medium text-text",
                  )}
                >
                  <span className="truncate">{t(name)}</span>
                  {isSorted && <Arrow size={13} aria-hidden className="shrink-0" />}
                </button>
              )}
            </span>
          );
        })}
        <span role="columnheader">
          <span className="sr-only">{t("actions")}</span>
        </span>
      </div>
    </div>
  );
}
