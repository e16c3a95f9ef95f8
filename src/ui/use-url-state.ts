import { useMemo } from "react";
import { useLocation, useNavigate } from "react-router";
import { useNextLocation } from "./use-router-state.ts";

interface UrlStateOptions<T> {
  /** A stable function. */
  parse(search: URLSearchParams): T;
  /** Returns the query string with its question mark, or an empty text. */
  format(state: T): string;
}

/**
 * Keeps the state of a view in the query string of its URL. Returns the state and a function that changes it. A change starts from the location that
 * React renders next, so that a second change until then does not undo the first. A change while the router is leaving the path is ignored, because it
 * would undo that navigation.
 */
export function useUrlState<T>({ parse, format }: UrlStateOptions<T>) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const readNextLocation = useNextLocation();
  const state = useMemo(() => parse(new URLSearchParams(search)), [parse, search]);
  const changeState = (change: (current: T) => T, { replace = false }: { replace?: boolean | ((current: T) => boolean) } = {}) => {
    const next = readNextLocation();
    if (next.pathname !== pathname) return;
    const current = parse(new URLSearchParams(next.search));
    void navigate(`${pathname}${format(change(current))}`, { replace: typeof replace === "function" ? replace(current) : replace });
  };
  return [state, changeState] as const;
}
