import { useState } from "react";
import { useLocation } from "react-router";

/** Names each arrival at an address of the chat. Another search beside it is no arrival. */
export function useLocationKey(): string {
  const { key, pathname, search } = useLocation();
  const [previous, setPrevious] = useState({ key, pathname, search, locationKey: key });
  if (previous.key === key) return previous.locationKey;
  const locationKey = previous.pathname === pathname && previous.search !== search ? previous.locationKey : key;
  setPrevious({ key, pathname, search, locationKey });
  return locationKey;
}
