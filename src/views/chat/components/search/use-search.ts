import { useCallback, useMemo } from "react";
import { useLocation, useSearchParams } from "react-router";
import { EMPTY_SEARCH, formatSearch, parseSearch, type SearchState } from "../../model/search-state.ts";

/** Reads the search from the URL and writes it back; null while the search is closed. */
export function useSearch() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const searchState = useMemo(() => parseSearch(params), [params]);
  const setSearch = useCallback((next: SearchState | null) => setParams(next ? formatSearch(next) : "", { replace: true, state }), [setParams, state]);
  const openSearch = useCallback(() => setParams(formatSearch(EMPTY_SEARCH), { state }), [setParams, state]);
  return { searchState, setSearch, openSearch };
}
