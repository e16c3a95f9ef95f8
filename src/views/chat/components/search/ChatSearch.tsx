import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import { t } from "../../../../lib/messages/chat-search.ts";
import { HeadTools } from "../../../../parts/head-tools/HeadTools.tsx";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { PHONE, useMedia } from "../../../../ui/use-media.ts";
import { useSearch } from "./use-search.ts";

const SearchPane = lazy(async () => ({ default: (await import("./SearchPane.tsx")).SearchPane }));

const WRITES = "input, textarea, select, [contenteditable]";
const FIELD = "[data-search-field]";

/** A chat with its search beside it; on a phone the search lies over it. */
export function ChatSearch({ projectId, children }: { projectId: number; children: ReactNode }) {
  const { searched, show, open } = useSearch();
  const phone = useMedia(PHONE);
  const button = useRef<HTMLButtonElement>(null);
  const begin = () => {
    if (searched) document.querySelector<HTMLElement>(FIELD)?.focus();
    else open();
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (event.key !== "/" || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
    if ((target instanceof Element && target.matches(WRITES)) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    begin();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <div className="relative flex h-full min-h-0">
      <div className="h-full min-w-0 flex-1" inert={phone && searched !== null}>
        {children}
      </div>
      {searched && (
        <Suspense fallback={<div className="w-90 shrink-0 border-l border-line bg-bg max-tablet:absolute max-tablet:inset-0 max-tablet:w-full" />}>
          <SearchPane
            projectId={projectId}
            searched={searched}
            leaving={phone}
            onSearch={show}
            onClose={() => {
              show(null);
              button.current?.focus();
            }}
          />
        </Suspense>
      )}
      <HeadTools>
        <IconButton ref={button} label={t("search")} aria-expanded={searched !== null} aria-keyshortcuts="/" className="max-tablet:size-10" onClick={begin}>
          <Search size={18} aria-hidden />
        </IconButton>
      </HeadTools>
    </div>
  );
}
