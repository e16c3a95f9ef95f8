import { useMutation, useQueryClient } from "@tanstack/react-query";
import { endAllSessions } from "../../api/sessions.ts";
import { signOut } from "../../api/session.ts";
import { leave } from "./cache.ts";

/** Signs out in this browser. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({ mutationFn: signOut, onSuccess: () => leave(client) });
}

/** Signs out in every browser, this one too. */
export function useSignOutEverywhere() {
  const client = useQueryClient();
  return useMutation({ mutationFn: endAllSessions, onSuccess: () => leave(client) });
}
