import { Search, SearchX } from "lucide-react";
import { useEffect, useRef, type KeyboardEvent, useEffectEvent, useState, type RefObject } from "react";
import { t } from "../../../lib/texts/chat-search.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { usePeople } from "../../../queries/members.ts";
import { useMessageSearch } from "../../../queries/messages/use-message-search.ts";
import { useProjectMembers } from "../../../queries/projects.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { Select } from "../../../ui/Select.tsx";
import { CloseButton } from "../../../ui/IconButton.tsx";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";
import { submitTo } from "../../../ui/text-input.ts";
import { isFiltered, EMPTY_SEARCH, toSearchQuery, type SearchState, createFormState, isSubmitted, submitFields, syncWithUrl } from "./search-state.ts";
import { SearchResult } from "./SearchResult.tsx";

interface Props {
  projectId: number;
  searchState: SearchState;
  /** True if the panel covers the chat, so that selecting a result closes the panel. */
  shouldCloseOnSelect: boolean;
  onSearch(searchState: SearchState): void;
  onClose(): void;
}

export function SearchPane({ projectId, searchState, shouldCloseOnSelect, onSearch, onClose }: Props) {
  const searchQuery = useMessageSearch(projectId, toSearchQuery(searchState));
  const { messages, hasQuery } = searchQuery;
  const personOf = usePeople(projectId);
  const list = useRef<HTMLOListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const getLinks = () => [...(list.current?.querySelectorAll("a") ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    // The lists of the form's selects are outside of the pane and handle their keys themselves.
    if (!event.currentTarget.contains(event.target as Node)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onClose();
      return;
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const resultLinks = getLinks();
    const index = resultLinks.indexOf(document.activeElement as HTMLAnchorElement);
    if (index === -1 && document.activeElement !== field.current) return;
    event.preventDefault();
    const next = index + (event.key === "ArrowDown" ? 1 : -1);
    if (next < 0) field.current?.focus();
    else resultLinks[next]?.focus();
  };

  return (
    // Handles keys for the links and the field inside, which keep their native behavior.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label={t("search")}
      className="flex w-90 shrink-0 flex-col border-l border-line bg-bg max-desktop:w-80 max-tablet:absolute max-tablet:inset-0 max-tablet:z-20 max-tablet:w-full max-tablet:border-l-0"
      onKeyDownCapture={onKeyDown}
    >
      <div className="flex items-center justify-between gap-2 py-2 pr-2 pl-4">
        <h2 className="font-semibold">{t("search")}</h2>
        <CloseButton label={t("close")} className="max-tablet:size-10" onClick={onClose} />
      </div>
      <SearchForm projectId={projectId} searchState={searchState} field={field} onSearch={onSearch} />
      <p role="status" className="min-h-8 px-4 py-1.5 text-sm text-text-2">
        {hasQuery && searchQuery.isPending && t("searching")}
        {messages && messages.length > 0 && (searchQuery.hasNextPage ? t("foundMore", { count: messages.length }) : t("found", { count: messages.length }))}
        {messages?.length === 0 && <span className="sr-only">{t("noneTitle")}</span>}
      </p>
      <div className="min-h-0 flex-1 overflow-y-auto pb-4" tabIndex={-1} aria-busy={searchQuery.isFetching}>
        {!hasQuery && (
          <EmptyState icon={<Search size={22} aria-hidden />} title={t("startTitle")}>
            {t("startHelp")}
          </EmptyState>
        )}
        {hasQuery && searchQuery.isPending && <RowsSkeleton rows={6} />}
        {searchQuery.isError && !messages && (
          <EmptyState
            icon={<SearchX size={22} aria-hidden />}
            title={t("failed")}
            actions={<Button onClick={() => void searchQuery.refetch()}>{t("retry")}</Button>}
          >
            {describeError(searchQuery.error).title}
          </EmptyState>
        )}
        {messages?.length === 0 && (
          <EmptyState
            icon={<SearchX size={22} aria-hidden />}
            title={t("noneTitle")}
            actions={isFiltered(searchState) && <Button onClick={() => onSearch({ ...EMPTY_SEARCH, q: searchState.q })}>{t("clear")}</Button>}
          >
            {isFiltered(searchState) ? t("noneFiltered") : t("noneHelp")}
          </EmptyState>
        )}
        {messages && messages.length > 0 && (
          <ol ref={list} aria-label={t("results")}>
            {messages.map((message) => (
              <SearchResult key={message.id} message={message} searchState={searchState} personOf={personOf} shouldCloseOnSelect={shouldCloseOnSelect} />
            ))}
          </ol>
        )}
        {searchQuery.hasNextPage && messages && messages.length > 0 && (
          <div className="flex flex-col items-center gap-2 p-3">
            {searchQuery.isFetchNextPageError && (
              <p role="alert" className="text-sm text-text-2">
                {t("moreFailed")}
              </p>
            )}
            <Button pending={searchQuery.isFetchingNextPage} onClick={() => void searchQuery.fetchNextPage()}>
              {t("more")}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

/** Milliseconds without input before the search runs. */
const DEBOUNCE_MS = 250;
const CONTENTS = [
  [null, t("anything")],
  ["link", t("links")],
  ["file", t("files")],
] as const;

interface FormProps extends Pick<Props, "projectId" | "searchState" | "onSearch"> {
  field: RefObject<HTMLInputElement | null>;
}

function SearchForm({ projectId, searchState, field, onSearch }: FormProps) {
  const people = useProjectMembers(projectId).data ?? [];
  const [storedForm, setForm] = useState(() => createFormState(searchState));
  const form = syncWithUrl(storedForm, searchState);
  if (form !== storedForm) setForm(form);
  const { fields } = form;
  const updateSearch = (change: Partial<SearchState>) => {
    const next = { ...fields, ...change };
    setForm(submitFields(form, next));
    onSearch(next);
  };
  const onPause = useEffectEvent(() => updateSearch({}));
  const isFormSubmitted = isSubmitted(form);
  useEffect(() => {
    if (isFormSubmitted) return;
    const timer = setTimeout(onPause, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [fields.q, isFormSubmitted]);

  return (
    <form role="search" className="grid grid-cols-2 gap-2.5 border-b border-line px-4 pb-3" onSubmit={submitTo(() => updateSearch({}))}>
      <SearchField
        inputRef={field}
        className="col-span-2"
        label={t("keywords")}
        hint={t("keywordsHint")}
        maxLength={200}
        value={fields.q}
        onChange={(q) => setForm({ ...form, fields: { ...fields, q } })}
      />
      <Select
        label={t("by")}
        value={fields.by}
        options={[
          [null, t("anyone")],
          ...(fields.by !== null && !people.some(({ id }) => id === fields.by) ? [[fields.by, t("formerMember")] as const] : []),
          ...people.map(({ id, username }) => [id, username] as const),
        ]}
        onChange={(by) => updateSearch({ by })}
      />
      <Select label={t("has")} value={fields.has} options={CONTENTS} onChange={(has) => updateSearch({ has })} />
      <TextField type="date" label={t("from")} value={fields.from} max={fields.to || undefined} onChange={(from) => updateSearch({ from })} />
      <TextField type="date" label={t("to")} value={fields.to} min={fields.from || undefined} onChange={(to) => updateSearch({ to })} />
    </form>
  );
}
