import { useContext } from "react";
import { type Location, type RouterState, UNSAFE_DataRouterContext } from "react-router";

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
