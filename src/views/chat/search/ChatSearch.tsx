import { Search } from "lucide-react";
import { type ReactNode, useMemo, useRef } from "react";
import { type Location, useNavigate, useParams, useSearchParams } from "react-router";
import { HeaderActions } from "../../../components/HeaderActions.tsx";
import { t } from "../../../lib/texts/chat-search.ts";
import { useHasFeature } from "../../../queries/service.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import { isShortcutAllowed, useDocumentKeydown } from "../../../ui/use-document-keydown.ts";
import { useNextLocation } from "../../../ui/router-state.ts";
import { EMPTY_SEARCH, parseSearch, type SearchState, withSearch } from "./search-state.ts";
import { SearchPane } from "./SearchPane.tsx";

/** Renders a chat with its search panel beside it, or over it on a phone. */
export function ChatSearch({ projectId, children }: { projectId: number; children: ReactNode }) {
  const { searchState: requestedSearch, setSearch, openSearch } = useSearch();
  const canSearch = useHasFeature("chat-search");
  const searchState = canSearch ? requestedSearch : null;
  const isPhone = useMediaQuery(PHONE);
  const button = useRef<HTMLButtonElement>(null);
  const openOrFocusSearch = () => {
    if (searchState) document.querySelector<HTMLElement>("[data-search-field]")?.focus();
    else openSearch();
  };
  useDocumentKeydown((event) => {
    if (!canSearch || event.key !== "/" || !isShortcutAllowed(event)) return;
    event.preventDefault();
    openOrFocusSearch();
  });

  return (
    <div className="relative flex h-full min-h-0">
      <div className="flex h-full min-w-0 flex-1 flex-col" inert={isPhone && searchState !== null}>
        {!canSearch && requestedSearch && (
          <p role="status" className="border-b border-line px-5 py-2 text-sm text-text-2 max-tablet:px-3.5">
            {t("notOffered")}
          </p>
        )}
        {children}
      </div>
      {searchState && (
        <SearchPane
          projectId={projectId}
          searchState={searchState}
          shouldCloseOnSelect={isPhone}
          onSearch={setSearch}
          onClose={() => {
            setSearch(null);
            button.current?.focus();
          }}
        />
      )}
      {canSearch && (
        <HeaderActions>
          <IconButton
            ref={button}
            label={t("search")}
            icon={Search}
            aria-expanded={searchState !== null}
            aria-keyshortcuts="/"
            className="max-tablet:size-10"
            onClick={openOrFocusSearch}
          />
        </HeaderActions>
      )}
    </div>
  );
}

const withSearchOf = ({ pathname, search }: Location, searchState: SearchState | null) => ({
  pathname,
  search: withSearch(new URLSearchParams(search), searchState).toString(),
});

/** Reads the search from the URL and writes it back; null while the search is closed. */
function useSearch() {
  const [params] = useSearchParams();
  const { projectId } = useParams();
  const navigate = useNavigate();
  const readNextLocation = useNextLocation();
  const searchState = useMemo(() => parseSearch(params), [params]);
  /** Returns the location that React renders next, or null once the router leaves the chat. */
  const findNextLocation = () => {
    const next = readNextLocation();
    return next.pathname.startsWith(`/projects/${projectId}/chat`) ? next : null;
  };
  const setSearch = (nextState: SearchState | null) => {
    const location = findNextLocation();
    // A late change must neither undo leaving the chat nor reopen the search.
    if (!location || !new URLSearchParams(location.search).has("search")) return;
    void navigate(withSearchOf(location, nextState), { replace: true, state: location.state });
  };
  const openSearch = () => {
    const location = findNextLocation();
    // Renders synchronously, so that the keys after "/" go to the field.
    if (location) void navigate(withSearchOf(location, EMPTY_SEARCH), { state: location.state, flushSync: true });
  };
  return { searchState, setSearch, openSearch };
}
