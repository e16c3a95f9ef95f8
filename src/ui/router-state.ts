/** Reads the router's newest state, and keeps the state of a view in the URL. */
import { useContext, useMemo } from "react";
import { type Location, type RouterState, UNSAFE_DataRouterContext, useLocation, useNavigate } from "react-router";

/**
 * Returns a function that reads the router's state at the time of the call. `useLocation` and `useNavigation` return the state that React rendered last,
 * which may be outdated, so a navigation based on it may undo a newer one.
 */
export function useRouterState(): () => RouterState {
  const { router } = useContext(UNSAFE_DataRouterContext)!;
  return () => router.state;
}

/** Returns a function that reads the location that React renders next: the one that the router is loading, or else the current one. */
export function useNextLocation(): () => Location {
  const readState = useRouterState();
  return () => readState().navigation.location ?? readState().location;
}

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
