import { Search } from "lucide-react";
import { Fragment, useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/dialogs.ts";
import { searchItems } from "../../lib/search.ts";
import { isComposing } from "../../ui/text-input.ts";
import { usePaletteEntries, type PaletteEntry } from "./use-palette-entries.tsx";

const SECTIONS = ["projects", "files", "people", "actions"] as const;
const MAX_PER_SECTION = 30;
/** Delay between the last keystroke and the file search. */
const DEBOUNCE_MS = 200;

/** Searches everything that has a name, as a combobox over one list. */
export function Palette({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [query, setQuery] = useState("");
  const [activeIndex, setActiveIndex] = useState(0);
  const [debouncedQuery, setDebouncedQuery] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedQuery(query.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query]);
  const entries = usePaletteEntries(debouncedQuery).filter(({ requiresQuery }) => !requiresQuery || query.trim() !== "");
  const results = SECTIONS.flatMap((section) =>
    searchItems(
      entries.filter((entry) => entry.section === section),
      query,
      (entry) => `${entry.name} ${entry.detail ?? ""}`,
    ).slice(0, MAX_PER_SECTION),
  );
  const selectedIndex = Math.min(activeIndex, results.length - 1);

  useEffect(() => {
    const element = dialog.current!;
    const previousFocus = document.activeElement;
    if (!element.open) element.showModal();
    return () => {
      element.close();
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
    };
  }, []);
  useEffect(() => {
    document.getElementById(`${id}-${selectedIndex}`)?.scrollIntoView({ block: "nearest" });
  }, [selectedIndex, id]);

  function choose(entry: PaletteEntry | undefined) {
    if (!entry) return;
    onClose();
    entry.run();
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && results.length > 0) {
      event.preventDefault();
      setActiveIndex((selectedIndex + step + results.length) % results.length);
    } else if (event.key === "Enter" && !isComposing(event)) {
      event.preventDefault();
      choose(results[selectedIndex]);
    }
  }

  return (
    <dialog
      ref={dialog}
      aria-label={t("palette")}
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
            aria-label={t("palettePlaceholder")}
            aria-expanded
            aria-controls={`${id}-list`}
            aria-activedescendant={results.length > 0 ? `${id}-${selectedIndex}` : undefined}
            aria-autocomplete="list"
            autoFocus
            autoComplete="off"
            spellCheck={false}
            placeholder={t("palettePlaceholder")}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setActiveIndex(0);
            }}
            onKeyDown={onKeyDown}
            className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none"
          />
        </div>
        <p role="status" className="sr-only">
          {t("paletteResults", { count: results.length })}
        </p>
        {results.length === 0 && <p className="px-4 py-6 text-text-2">{t("paletteEmpty", { text: query.trim() })}</p>}
        <div role="listbox" id={`${id}-list`} aria-label={t("palette")} className="min-h-0 overflow-y-auto p-2">
          {results.map((entry, index) => (
            <Fragment key={entry.key}>
              {entry.section !== results[index - 1]?.section && (
                <div role="presentation" className="px-2 pt-2 pb-1 text-xs font-semibold text-text-3">
                  {t(entry.section)}
                </div>
              )}
              {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys go to the search field, which names the chosen option */}
              <div
                role="option"
                id={`${id}-${index}`}
                aria-selected={index === selectedIndex}
                onPointerMove={() => index !== selectedIndex && setActiveIndex(index)}
                onClick={() => choose(entry)}
                className={classNames("flex h-9 cursor-pointer items-center gap-3 rounded-sm px-2", index === selectedIndex && "bg-hover")}
              >
                <span className="flex w-6 shrink-0 justify-center text-text-2">{entry.icon}</span>
                <span className="min-w-0 truncate">{entry.name}</span>
                {entry.detail && <span className="ml-auto shrink-0 truncate text-sm text-text-2">{entry.detail}</span>}
              </div>
            </Fragment>
          ))}
        </div>
      </div>
    </dialog>
  );
}
