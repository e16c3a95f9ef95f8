import { useState } from "react";
import { useLocation } from "react-router";

/** Names each arrival at an address of the chat. Another search beside it is no arrival. */
export function useAddress(): string {
  const { key, pathname, search } = useLocation();
  const [seen, setSeen] = useState({ key, pathname, search, address: key });
  if (seen.key === key) return seen.address;
  const address = seen.pathname === pathname && seen.search !== search ? seen.address : key;
  setSeen({ key, pathname, search, address });
  return address;
}
