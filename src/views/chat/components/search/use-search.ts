import { useCallback, useMemo } from "react";
import { useLocation, useSearchParams } from "react-router";
import { EMPTY_SEARCH, formatSearch, parseSearch, type SearchState } from "../../model/search-state.ts";

/** The search that stands in the address; null where it is closed. */
export function useSearch() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const searchState = useMemo(() => parseSearch(params), [params]);
  const setSearch = useCallback((next: SearchState | null) => setParams(next ? formatSearch(next) : "", { replace: true, state }), [setParams, state]);
  const openSearch = useCallback(() => setParams(formatSearch(EMPTY_SEARCH), { state }), [setParams, state]);
  return { searchState, setSearch, openSearch };
}
