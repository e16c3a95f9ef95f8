import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * The token of a one-time link, from the part of the address after "#". It is taken out of the address bar at once
 * and kept in the history entry, so that a reload still knows it.
 */
export function useLinkToken(): string {
  const { hash, pathname, state } = useLocation();
  const navigate = useNavigate();
  const tokenFromHash = hash.slice(1);
  useEffect(() => {
    if (tokenFromHash) void navigate(pathname, { replace: true, state: { token: tokenFromHash } });
  }, [tokenFromHash, navigate, pathname]);
  return tokenFromHash || ((state as { token?: string } | null)?.token ?? "");
}
