import { ArrowDown, ArrowUp } from "lucide-react";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/files.ts";
import { CheckBox } from "./CheckBox.tsx";
import type { Column } from "../../model/columns.ts";
import { sortedBy, type Shown } from "../../model/url-state.ts";

interface Props {
  columns: readonly Column[];
  template: string;
  /** For screen readers alone: a phone has no columns. */
  hidden: boolean;
  shown: Shown;
  onShow(change: (now: Shown) => Shown): void;
  /** Everything in the list is selected. */
  all: boolean;
  selecting: boolean;
  onAll(): void;
}

/** The heads of the columns; each sorts by its column. */
export function TableHead({ columns, template, hidden, shown, onShow, all, selecting, onAll }: Props) {
  const Arrow = shown.order === "asc" ? ArrowUp : ArrowDown;
  return (
    <div role="rowgroup" className={hidden ? "sr-only" : "sticky top-0 z-2 border-b border-line bg-surface px-1"}>
      <div role="row" aria-rowindex={1} className="grid h-9 items-center text-sm text-text-2" style={{ gridTemplateColumns: template }}>
        {!hidden && (
          <span role="columnheader" className="flex justify-center">
            <span className="sr-only">{t("selection")}</span>
            <CheckBox label={t("selectAll")} checked={all} shown={selecting} onPress={onAll} className="group-hover/list:opacity-100" />
          </span>
        )}
        {columns.map(({ name, sort, end, wide }) => {
          const sorted = sort !== null && shown.sort === sort;
          return (
            <span
              key={name}
              role="columnheader"
              aria-sort={sorted ? (shown.order === "asc" ? "ascending" : "descending") : undefined}
              className={classes("flex min-w-0", end && "justify-end")}
            >
              {sort === null || hidden ? (
                <span className={name === "uploader" && !wide ? "sr-only" : "truncate px-2"}>{t(name)}</span>
              ) : (
                <button
                  type="button"
                  onClick={() => onShow((now) => sortedBy(now, sort))}
                  className={classes(
                    "inline-flex h-7 min-w-0 items-center gap-1 rounded-sm px-2 hover:bg-hover hover:text-text",
                    end && "flex-row-reverse",
                    sorted && "font-medium text-text",
                  )}
                >
                  <span className="truncate">{t(name)}</span>
                  {sorted && <Arrow size={13} aria-hidden className="shrink-0" />}
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
