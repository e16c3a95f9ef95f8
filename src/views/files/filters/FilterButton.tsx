import { ListFilter } from "lucide-react";
import { useState } from "react";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/files.ts";
import { buttonClasses } from "../../../ui/Button.tsx";
import { Floating, anchorRectOf, type AnchorRect } from "../../../ui/Floating.tsx";
import { useFilesContext } from "../files-context.ts";
import { getChips } from "../url-state.ts";
import { FilterForm } from "./FilterForm.tsx";

/** Opens the filter form. */
export function FilterButton() {
  const { urlState } = useFilesContext();
  const [anchor, setAnchor] = useState<AnchorRect | null>(null);
  const count = getChips(urlState).length;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : anchorRectOf(event.currentTarget))}
        className={classNames(buttonClasses("ghost"), "px-2!", count > 0 && "text-accent-text!")}
      >
        <ListFilter size={16} aria-hidden />
        <span className="max-tablet:sr-only">{t("filter")}</span>
        {count > 0 && (
          <span className="tabular rounded-full bg-accent-soft px-1.5 text-xs">
            {count}
            <span className="sr-only"> {t("filterActive")}</span>
          </span>
        )}
      </button>
      {anchor && (
        <Floating
          label={t("filter")}
          anchor={anchor}
          role="dialog"
          onClose={() => setAnchor(null)}
          className="max-h-[calc(100dvh-16px)] w-88 overflow-y-auto p-4"
        >
          <FilterForm />
        </Floating>
      )}
    </>
  );
}
