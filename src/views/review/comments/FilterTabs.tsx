import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/comments.ts";
import { FILTERS, type Filter } from "./model/filter.ts";

const WORDS = { open: "open", mine: "mine", all: "all" } as const;

/** Which comments are shown. */
export function FilterTabs({ filter, onChoose }: { filter: Filter; onChoose(filter: Filter): void }) {
  return (
    <div role="group" aria-label={t("filter")} className="flex gap-0.5">
      {FILTERS.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === filter}
          onClick={() => onChoose(one)}
          className={classes(
            "h-7 min-w-9 rounded-md px-2.5 text-sm font-medium transition-colors max-tablet:h-9",
            one === filter ? "bg-raised text-text" : "text-text-2 hover:bg-hover hover:text-text",
          )}
        >
          {t(WORDS[one])}
        </button>
      ))}
    </div>
  );
}
