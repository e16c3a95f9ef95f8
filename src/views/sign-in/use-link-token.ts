import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * Reads a one-time link's token from the URL fragment, removes it from the address bar at once, and stores it in the history entry so that it
 * survives a reload.
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
