import { Search } from "lucide-react";
import { useEffect, useId, useRef, useState, type RefObject } from "react";
import { t } from "../../lib/texts/shell.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useReturnFocus } from "../../ui/use-return-focus.ts";
import type { KeyHandler, PaletteResults } from "./PaletteResults.tsx";

interface Props {
  /** Undefined until loaded. */
  Results: typeof PaletteResults | undefined;
  onClose(): void;
}

/** Searches all projects, and people and actions by name. The search field accepts input immediately, also while the code of the results loads. */
export function PaletteDialog({ Results, onClose }: Props) {
  const dialog = useModal();
  const placeholder = t(useHasFeature("search") ? "searchAnything" : "searchPlaceholder");
  const listId = useId();
  const keyHandler = useRef<KeyHandler>(null);
  const [query, setQuery] = useState("");
  const [activeOptionId, setActiveOptionId] = useState<string | undefined>();

  return (
    <dialog
      ref={dialog}
      data-overlay="modal"
      aria-label={t("search")}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
      className="mx-auto mt-[12vh] max-h-[min(480px,76vh)] w-[calc(100vw-32px)] max-w-140 overflow-hidden rounded-lg bg-surface text-text shadow-float"
    >
      <div className="flex max-h-[inherit] flex-col">
        <div className="flex items-center gap-3 border-b border-line px-4">
          <Search size={18} aria-hidden className="shrink-0 text-text-3" />
          <input
            role="combobox"
            aria-label={placeholder}
            aria-expanded={activeOptionId !== undefined}
            aria-controls={listId}
            aria-activedescendant={activeOptionId}
            aria-autocomplete="list"
            autoFocus
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            onKeyDown={(event) => keyHandler.current?.(event)}
            className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none"
          />
        </div>
        {Results && <Results listId={listId} query={query} keyHandler={keyHandler} onActiveOptionChange={setActiveOptionId} onClose={onClose} />}
      </div>
    </dialog>
  );
}

/** Shows a `<dialog>` as a modal while it is rendered, and gives the focus back afterwards. */
function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const returnFocus = useReturnFocus();
  useEffect(() => {
    const element = dialog.current!;
    if (!element.open) element.showModal();
    return () => {
      // React has removed the element, so the browser does not restore the focus itself.
      element.close();
      returnFocus();
    };
  }, []); // oxlint-disable-line react-hooks/exhaustive-deps -- runs on opening and closing only
  return dialog;
}
