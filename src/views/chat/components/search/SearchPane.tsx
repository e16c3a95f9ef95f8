import { Search, SearchX, X } from "lucide-react";
import { useEffect, useRef, type KeyboardEvent } from "react";
import { t } from "../../../../lib/messages/chat-search.ts";
import { explain } from "../../../../queries/problems.ts";
import { useMessageSearch } from "../../../../queries/message-search/use-message-search.ts";
import { usePeople } from "../../../../queries/members/use-people.ts";
import { Button } from "../../../../ui/Button.tsx";
import { EmptyState } from "../../../../ui/EmptyState.tsx";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { RowsSkeleton } from "../../../../ui/RowsSkeleton.tsx";
import { isFiltered, NOTHING, wishOf, type Searched } from "../../model/search-state.ts";
import { FoundMessage } from "./FoundMessage.tsx";
import { SearchForm } from "./SearchForm.tsx";

interface Props {
  projectId: number;
  searched: Searched;
  /** It lies over the chat: who goes to a message leaves it. */
  leaving: boolean;
  onSearch(searched: Searched): void;
  onClose(): void;
}

/** The search of a chat: what is looked for, and what was found. */
export function SearchPane({ projectId, searched, leaving, onSearch, onClose }: Props) {
  const found = useMessageSearch(projectId, wishOf(searched));
  const { messages, asked } = found;
  const personOf = usePeople(projectId);
  const list = useRef<HTMLOListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const links = () => [...(list.current?.querySelectorAll("a") ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onClose();
      return;
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const all = links();
    const at = all.indexOf(document.activeElement as HTMLAnchorElement);
    if (at === -1 && document.activeElement !== field.current) return;
    event.preventDefault();
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    if (next < 0) field.current?.focus();
    else all[next]?.focus();
  };

  return (
    // Keys for what stands in it: its links and its field remain what they are.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label={t("search")}
      className="flex w-90 shrink-0 flex-col border-l border-line bg-bg max-desktop:w-80 max-tablet:absolute max-tablet:inset-0 max-tablet:z-20 max-tablet:w-full max-tablet:border-l-0"
      onKeyDown={onKeyDown}
    >
      <div className="flex items-center justify-between gap-2 py-2 pr-2 pl-4">
        <h2 className="font-semibold">{t("search")}</h2>
        <IconButton label={t("close")} className="max-tablet:size-10" onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <SearchForm projectId={projectId} searched={searched} field={field} onSearch={onSearch} />
      <p role="status" className="min-h-8 px-4 py-1.5 text-sm text-text-2">
        {asked && found.isPending && t("searching")}
        {messages && messages.length > 0 && (found.hasNextPage ? t("foundMore", { count: messages.length }) : t("found", { count: messages.length }))}
        {messages?.length === 0 && <span className="sr-only">{t("noneTitle")}</span>}
      </p>
      <div className="min-h-0 flex-1 overflow-y-auto pb-4" tabIndex={-1} aria-busy={found.isFetching}>
        {!asked && (
          <EmptyState icon={<Search size={22} aria-hidden />} title={t("startTitle")}>
            {t("startHelp")}
          </EmptyState>
        )}
        {asked && found.isPending && <RowsSkeleton rows={6} />}
        {found.isError && !messages && (
          <EmptyState icon={<SearchX size={22} aria-hidden />} title={t("failed")} actions={<Button onClick={() => void found.refetch()}>{t("retry")}</Button>}>
            {explain(found.error).title}
          </EmptyState>
        )}
        {messages?.length === 0 && (
          <EmptyState
            icon={<SearchX size={22} aria-hidden />}
            title={t("noneTitle")}
            actions={isFiltered(searched) && <Button onClick={() => onSearch({ ...NOTHING, q: searched.q })}>{t("clear")}</Button>}
          >
            {isFiltered(searched) ? t("noneFiltered") : t("noneHelp")}
          </EmptyState>
        )}
        {messages && messages.length > 0 && (
          <ol ref={list} aria-label={t("results")}>
            {messages.map((message) => (
              <FoundMessage key={message.id} message={message} searched={searched} personOf={personOf} leaving={leaving} />
            ))}
          </ol>
        )}
        {found.hasNextPage && messages && messages.length > 0 && (
          <div className="flex flex-col items-center gap-2 p-3">
            {found.isFetchNextPageError && (
              <p role="alert" className="text-sm text-text-2">
                {t("moreFailed")}
              </p>
            )}
            <Button pending={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              {t("more")}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}
