import { ListFilter } from "lucide-react";
import { useState } from "react";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/files.ts";
import { buttonClasses } from "../../../../ui/Button.tsx";
import { Floating, spotOf, type Spot } from "../../../../ui/Floating.tsx";
import { useFilesRoom } from "../files-room.ts";
import { FilterForm } from "./FilterForm.tsx";
import { chipsOf } from "../../model/chips.ts";

/** Opens what can be filtered by. */
export function FilterButton() {
  const { shown } = useFilesRoom();
  const [at, setAt] = useState<Spot | null>(null);
  const count = chipsOf(shown).length;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={at !== null}
        onClick={(event) => setAt(at ? null : spotOf(event.currentTarget))}
        className={classes(buttonClasses("ghost"), "px-2!", count > 0 && "text-accent-text!")}
      >
        <ListFilter size={16} aria-hidden />
        <span className="max-tablet:sr-only">{t("filter")}</span>
        {count > 0 && (
          <span className="tabular rounded-full bg-accent-soft px-1.5 text-xs">
            {count}
            <span className="sr-only"> {t("filterSet")}</span>
          </span>
        )}
      </button>
      {at && (
        <Floating label={t("filter")} at={at} role="dialog" onClose={() => setAt(null)} className="max-h-[calc(100dvh-16px)] w-88 overflow-y-auto p-4">
          <FilterForm />
        </Floating>
      )}
    </>
  );
}
