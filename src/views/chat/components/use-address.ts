import { useState } from "react";
import { useLocation } from "react-router";

/** Returns a key for each navigation to a chat URL; a change of the search beside the chat keeps the key. */
export function useLocationKey(): string {
  const { key, pathname, search } = useLocation();
  const [previous, setPrevious] = useState({ key, pathname, search, locationKey: key });
  if (previous.key === key) return previous.locationKey;
  const locationKey = previous.pathname === pathname && previous.search !== search ? previous.locationKey : key;
  setPrevious({ key, pathname, search, locationKey });
  return locationKey;
}
