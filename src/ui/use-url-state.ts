import { useContext, useMemo } from "react";
import { UNSAFE_DataRouterContext, useLocation, useNavigate } from "react-router";

interface UrlStateOptions<T> {
  /** The path to which the state belongs. */
  path: string;
  /** A stable function. */
  parse(search: URLSearchParams): T;
  /** Returns the query string with its question mark, or an empty text. */
  format(state: T): string;
}

/**
 * Keeps the state of a view in the query string of its URL. Returns the state and a function that changes it. React renders a new URL some time after
 * the router has it, so a change starts from the router's state: a second change until then does not undo the first. A change that comes when the
 * router is leaving the path is ignored, since it would undo that.
 */
export function useUrlState<T>({ path, parse, format }: UrlStateOptions<T>) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const { router } = useContext(UNSAFE_DataRouterContext)!;
  const state = useMemo(() => parse(new URLSearchParams(search)), [parse, search]);
  const changeState = (change: (current: T) => T, { replace = false }: { replace?: boolean | ((current: T) => boolean) } = {}) => {
    const requested = router.state.navigation.location ?? router.state.location;
    if (requested.pathname !== path) return;
    const current = parse(new URLSearchParams(requested.search));
    void navigate(`${path}${format(change(current))}`, { replace: typeof replace === "function" ? replace(current) : replace });
  };
  return [state, changeState] as const;
}
