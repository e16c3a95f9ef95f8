import { useCallback, useMemo } from "react";
import { useLocation, useSearchParams } from "react-router";
import { NOTHING, paramsOf, searchedIn, type Searched } from "../../model/search-state.ts";

/** The search that stands in the address; null where it is closed. */
export function useSearch() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const searched = useMemo(() => searchedIn(params), [params]);
  const show = useCallback((next: Searched | null) => setParams(next ? paramsOf(next) : "", { replace: true, state }), [setParams, state]);
  const open = useCallback(() => setParams(paramsOf(NOTHING), { state }), [setParams, state]);
  return { searched, show, open };
}
