import { ListFilter } from "lucide-react";
import { useRef, useState } from "react";
import { FocusScope } from "react-aria/FocusScope";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/files.ts";
import { buttonClasses } from "../../../ui/Button.tsx";
import { Floating } from "../../../ui/Floating.tsx";
import { useFilesContext } from "../files-context.ts";
import { getChips } from "../url-state.ts";
import { FilterForm } from "./FilterForm.tsx";

/** Opens the filter form. */
export function FilterButton() {
  const { urlState } = useFilesContext();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const count = getChips(urlState).length;
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
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
      {isOpen && (
        <Floating label={t("filter")} anchor={button} onClose={() => setIsOpen(false)} className="w-88 p-4">
          <FocusScope autoFocus>
            <FilterForm />
          </FocusScope>
        </Floating>
      )}
    </>
  );
}
