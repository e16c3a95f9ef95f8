import { Search } from "lucide-react";
import { Fragment, useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { isComposing } from "../../ui/composing.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/dialogs.ts";
import { findIn } from "../../lib/search.ts";
import { useEntries, type Entry } from "./use-entries.tsx";

const SECTIONS = ["projects", "files", "people", "actions"] as const;
const MOST_PER_SECTION = 30;
/** After the last letter, before files are looked for. */
const TYPING_MS = 200;

/** Search over everything that has a name: a combobox over one list. */
export function Palette({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(query.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [query]);
  const entries = useEntries(asked).filter(({ typed }) => !typed || query.trim() !== "");
  const found = SECTIONS.flatMap((section) =>
    findIn(
      entries.filter((entry) => entry.section === section),
      query,
      (entry) => `${entry.name} ${entry.also ?? ""}`,
    ).slice(0, MOST_PER_SECTION),
  );
  const chosen = Math.min(at, found.length - 1);

  useEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement;
    if (!element.open) element.showModal();
    return () => {
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen, id]);

  function choose(entry: Entry | undefined) {
    if (!entry) return;
    onClose();
    entry.run();
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setAt((chosen + step + found.length) % found.length);
    } else if (event.key === "Enter" && !isComposing(event)) {
      event.preventDefault();
      choose(found[chosen]);
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
            aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
            aria-autocomplete="list"
            autoFocus
            autoComplete="off"
            spellCheck={false}
            placeholder={t("palettePlaceholder")}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
            className="h-12 min-w-0 flex-1 bg-transparent text-lg outline-none"
          />
        </div>
        <p role="status" className="sr-only">
          {t("paletteResults", { count: found.length })}
        </p>
        {found.length === 0 && <p className="px-4 py-6 text-text-2">{t("paletteNothing", { text: query.trim() })}</p>}
        <div role="listbox" id={`${id}-list`} aria-label={t("palette")} className="min-h-0 overflow-y-auto p-2">
          {found.map((entry, index) => (
            <Fragment key={entry.key}>
              {entry.section !== found[index - 1]?.section && (
                <div role="presentation" className="px-2 pt-2 pb-1 text-xs font-semibold text-text-3">
                  {t(entry.section)}
                </div>
              )}
              {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys go to the search field, which names the chosen option */}
              <div
                role="option"
                id={`${id}-${index}`}
                aria-selected={index === chosen}
                onPointerMove={() => index !== chosen && setAt(index)}
                onClick={() => choose(entry)}
                className={classes("flex h-9 cursor-pointer items-center gap-3 rounded-sm px-2", index === chosen && "bg-hover")}
              >
                <span className="flex w-6 shrink-0 justify-center text-text-2">{entry.picture}</span>
                <span className="min-w-0 truncate">{entry.name}</span>
                {entry.also && <span className="ml-auto shrink-0 truncate text-sm text-text-2">{entry.also}</span>}
              </div>
            </Fragment>
          ))}
        </div>
      </div>
    </dialog>
  );
}
