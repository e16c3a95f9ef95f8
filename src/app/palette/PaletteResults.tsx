import { Fragment, useEffect, useImperativeHandle, useLayoutEffect, useState, type KeyboardEvent, type RefObject } from "react";
import { flushSync } from "react-dom";
import { classNames } from "../../lib/class-names.ts";
import { searchItems } from "../../lib/search.ts";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/dialogs.ts";
import { isComposing } from "../../ui/text-input.ts";
import { PALETTE_SECTIONS, type PaletteEntry } from "./palette-entry.ts";
import { useSearchProgress } from "./use-search-entries.tsx";
import { usePaletteEntries } from "./use-palette-entries.tsx";

const MAX_PER_SECTION = 30;
/** Delay between the last keystroke and the file search. */
const DEBOUNCE_MS = 200;

export type KeyHandler = (event: KeyboardEvent) => void;

interface Props {
  listId: string;
  query: string;
  /** Set to the handler of the field's keys while the results are rendered. */
  keyHandler: RefObject<KeyHandler | null>;
  /** Called with undefined if there are no results. */
  onActiveOptionChange(optionId: string | undefined): void;
  onClose(): void;
}

/** Lists the entries that match the query; Enter chooses the active one. */
export function PaletteResults({ listId, query, keyHandler, onActiveOptionChange, onClose }: Props) {
  const [selection, setSelection] = useState<{ query: string; entry: PaletteEntry } | null>(null);
  const [debouncedQuery, setDebouncedQuery] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedQuery(query.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query]);
  const entries = usePaletteEntries(debouncedQuery, query.trim()).filter(({ requiresQuery }) => !requiresQuery || query.trim() !== "");
  const matching = PALETTE_SECTIONS.flatMap((section) => {
    const ofSection = entries.filter((entry) => entry.section === section);
    const found = ofSection.filter((entry) => entry.matches?.(query.trim()));
    const named = ofSection.filter(({ matches }) => !matches);
    return [...found, ...searchItems(named, query, (entry) => `${entry.name} ${entry.detail ?? ""}`)].slice(0, MAX_PER_SECTION);
  });
  // A new query starts at the first result. What the reader has selected stays so when other results arrive.
  const selected = selection?.query === query ? selection.entry : undefined;
  const results = withEntry(matching, selected);
  const selectedIndex = Math.max(
    0,
    results.findIndex(({ key }) => key === selected?.key),
  );
  const select = (entry: PaletteEntry) => setSelection({ query, entry });
  const { progress, retry } = useSearchProgress(debouncedQuery, query.trim());
  const hasResults = results.some(({ section }) => section !== "search");
  const note = ((): string | null => {
    if (progress === "failed") return t("searchFailed");
    if (hasResults) return null;
    return progress === "searching" ? t("searching") : t("paletteEmpty", { text: query.trim() });
  })();
  const optionId = ({ key }: PaletteEntry) => `${listId}-${key}`;
  const activeOptionId = results[selectedIndex] && optionId(results[selectedIndex]);

  useLayoutEffect(() => onActiveOptionChange(activeOptionId), [activeOptionId, onActiveOptionChange]);
  useEffect(() => {
    if (activeOptionId !== undefined) document.getElementById(activeOptionId)?.scrollIntoView({ block: "nearest" });
  }, [activeOptionId, selectedIndex]);

  function choose(entry: PaletteEntry | undefined) {
    if (!entry) return;
    // The palette gives the focus back first, so that a dialog opened by the entry returns it there too.
    flushSync(onClose);
    entry.run();
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && results.length > 0) {
      event.preventDefault();
      select(results[(selectedIndex + step + results.length) % results.length]!);
    } else if (event.key === "Enter" && !isComposing(event)) {
      event.preventDefault();
      choose(results[selectedIndex]);
    }
  }
  useImperativeHandle(keyHandler, () => onKeyDown);

  return (
    <>
      <p role="status" className="sr-only">
        {note ?? t("paletteResults", { count: results.length })}
      </p>
      {note !== null && (
        <p className="flex items-center gap-3 px-4 pt-4 pb-2 text-text-2">
          {note}
          {progress === "failed" && (
            <button type="button" onClick={retry} className="rounded-sm font-semibold underline underline-offset-2">
              {tCommon("retry")}
            </button>
          )}
        </p>
      )}
      <div role="listbox" id={listId} aria-label={t("palette")} className="min-h-0 overflow-y-auto p-2">
        {results.map((entry, index) => (
          <Fragment key={entry.key}>
            {entry.section !== results[index - 1]?.section && (
              <div role="presentation" className="px-2 pt-2 pb-1 text-xs font-semibold text-text-3">
                {t(entry.section)}
              </div>
            )}
            {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the search field handles the keys and references the active option */}
            <div
              role="option"
              id={optionId(entry)}
              aria-selected={index === selectedIndex}
              onPointerMove={() => entry.key !== selected?.key && select(entry)}
              onClick={() => choose(entry)}
              className={classNames("flex h-9 cursor-pointer items-center gap-3 rounded-sm px-2", index === selectedIndex && "bg-hover")}
            >
              <span className="flex w-6 shrink-0 justify-center text-text-2">{entry.icon}</span>
              <span className="min-w-0 truncate">{entry.label ?? entry.name}</span>
              {entry.detail && <span className="ml-auto max-w-2/5 shrink-0 truncate text-sm text-text-2">{entry.detail}</span>}
            </div>
          </Fragment>
        ))}
      </div>
    </>
  );
}

/** Adds the entry at the end of its section if it is missing. */
function withEntry(entries: readonly PaletteEntry[], entry: PaletteEntry | undefined): readonly PaletteEntry[] {
  if (!entry || entries.some(({ key }) => key === entry.key)) return entries;
  const order = (one: PaletteEntry) => PALETTE_SECTIONS.indexOf(one.section);
  return [...entries, entry].toSorted((a, b) => order(a) - order(b));
}
