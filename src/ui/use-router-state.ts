import { useContext } from "react";
import { type Location, type RouterState, UNSAFE_DataRouterContext } from "react-router";

/**
 * Returns a function that reads the router's state at the time of the call. `useLocation` and `useNavigation` have what React has rendered last, which on
 * a busy machine is older: a navigation based on them may undo another one.
 */
export function useRouterState(): () => RouterState {
  const { router } = useContext(UNSAFE_DataRouterContext)!;
  return () => router.state;
}

/** Returns a function that reads the location that React renders next: the one that the router is loading, else the one that it has. */
export function useNextLocation(): () => Location {
  const readState = useRouterState();
  return () => readState().navigation.location ?? readState().location;
}
