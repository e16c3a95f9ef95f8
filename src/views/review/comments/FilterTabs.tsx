import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/comments.ts";
import { FILTERS, type Filter } from "./model/filter.ts";

const FILTER_LABELS = { open: "open", mine: "mine", all: "all" } as const;

/** Renders the buttons that choose which comments the list shows. */
export function FilterTabs({ filter, onSelect }: { filter: Filter; onSelect(filter: Filter): void }) {
  return (
    <div role="group" aria-label={t("filter")} className="flex gap-0.5">
      {FILTERS.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === filter}
          onClick={() => onSelect(option)}
          className={classes(
            "h-7 min-w-9 rounded-md px-2.5 text-sm font-medium transition-colors max-tablet:h-9",
            option === filter ? "bg-raised text-text" : "text-text-2 hover:bg-hover hover:text-text",
          )}
        >
          {t(FILTER_LABELS[option])}
        </button>
      ))}
    </div>
  );
}
