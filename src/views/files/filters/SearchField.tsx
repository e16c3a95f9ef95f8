import { Search } from "lucide-react";
import { useRef } from "react";
import { t } from "../../../lib/texts/files.ts";
import { CloseButton } from "../../../ui/IconButton.tsx";
import { isComposing, useDebouncedInput } from "../../../ui/text-input.ts";
import { isShortcutAllowed, useDocumentKeydown } from "../../../ui/use-document-keydown.ts";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";

const DEBOUNCE_MS = 250;

/** Searches by name in the folder and everything below it. */
export function SearchField() {
  const { folder, urlState, setUrlState } = useFilesContext();
  const inputRef = useRef<HTMLInputElement>(null);
  // The first character adds a history entry, and the following ones replace it.
  const { text, setText, commit } = useDebouncedInput(
    urlState.q,
    (q) => setUrlState((current) => ({ ...current, q }), { replace: (current) => current.q !== "" && q !== "" }),
    DEBOUNCE_MS,
  );
  useDocumentKeydown((event) => {
    if (event.key !== "/" || !isShortcutAllowed(event)) return;
    event.preventDefault();
    inputRef.current?.focus();
  });
  return (
    <search className="relative flex min-w-0 max-w-90 flex-1 items-center">
      <Search size={16} aria-hidden className="pointer-events-none absolute left-2.5 text-text-3" />
      <input
        ref={inputRef}
        type="text"
        enterKeyHint="search"
        inputMode="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={t("searchIn", { folder: folderName(folder) })}
        aria-keyshortcuts="/"
        placeholder={t("search")}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === "Enter") commit();
          else if (event.key === "Escape" && text !== "") commit("");
          else if (event.key === "ArrowDown") document.querySelector<HTMLElement>("[role=grid] [data-entry][tabindex='0']")?.focus();
          else return;
          event.preventDefault();
        }}
        className="h-8 w-full min-w-0 rounded-md border border-field-line bg-bg pr-8 pl-8 text-lg transition-colors hover:border-text-3 focus-visible:outline-offset-0 tablet:text-md"
      />
      {text !== "" && (
        <CloseButton
          label={t("clearSearch")}
          className="absolute right-1 size-6!"
          onClick={() => {
            commit("");
            inputRef.current?.focus();
          }}
        />
      )}
    </search>
  );
}
