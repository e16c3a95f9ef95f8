import { useLayoutEffect, useMemo, useRef } from "react";
import { useLocation, useNavigate } from "react-router";

interface UrlStateOptions<T> {
  /** The path to which the state belongs. */
  path: string;
  /** A stable function. */
  parse(search: URLSearchParams): T;
  /** Returns the query string with its question mark, or an empty text. */
  format(state: T): string;
}

/**
 * Keeps the state of a view in the query string of its URL. Returns the state and a function that changes it. The router renders a new URL some time
 * after a change, so the change receives the state requested last: a second change until then does not undo the first.
 */
export function useUrlState<T>({ path, parse, format }: UrlStateOptions<T>) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const state = useMemo(() => parse(new URLSearchParams(search)), [parse, search]);
  const latestState = useRef(state);
  useLayoutEffect(() => {
    latestState.current = state;
  }, [state]);
  // A layout effect clears the flag before the children's effects are cleaned up, so that their last pending change does not navigate back here.
  const isMounted = useRef(false);
  useLayoutEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  const changeState = (change: (current: T) => T, { replace = false }: { replace?: boolean } = {}) => {
    if (!isMounted.current) return;
    latestState.current = change(latestState.current);
    void navigate(`${path}${format(latestState.current)}`, { replace });
  };
  return [state, changeState] as const;
}
