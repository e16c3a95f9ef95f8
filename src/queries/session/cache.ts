/** Updates the cached session and handles sign-in, sign-out and account changes. */
import type { QueryClient } from "@tanstack/react-query";
import { setActingAccount, defaultConnection, onAccountMismatch, onSignedOut } from "../../api/http.ts";
import type { Session } from "../../../contract/access-records.ts";
import type { Account } from "../../../contract/records.ts";
import { getSession } from "../../api/session.ts";
import { sessionQueries } from "./options.ts";

/** Returns the session after an account change; another account's change has no effect. */
export function withAccount(session: Session | null | undefined, account: Partial<Account> & { id: number }): Session | null | undefined {
  if (!session || session.account.id !== account.id) return session;
  return { ...session, account: { ...session.account, ...account } };
}

/** Applies a sign-in and clears everything of the previous account. */
export function applySignIn(client: QueryClient, session: Session): void {
  client.clear();
  setActingAccount(session.account.id);
  client.setQueryData(sessionQueries.current().queryKey, session);
}

/** Why the session ended: the user signed out, or the service no longer accepts it. */
export type SignOutReason = "signed-out" | "ended";
const listeners = new Set<(reason: SignOutReason) => void>();

/** Applies a sign-out by the user in this browser. */
export function applySignOut(client: QueryClient): void {
  client.clear();
  setActingAccount(null);
  client.setQueryData(sessionQueries.current().queryKey, null);
  for (const listener of listeners) listener("signed-out");
}

/** Calls back when the current session has ended; returns the unsubscribe function. */
export function onSessionEnd(client: QueryClient, callback: (reason: SignOutReason) => void): () => void {
  listeners.add(callback);
  const stop = onSignedOut((connection) => {
    if (connection !== defaultConnection || !client.getQueryData(sessionQueries.current().queryKey)) return;
    client.setQueryData(sessionQueries.current().queryKey, null);
    callback("ended");
  });
  return () => {
    listeners.delete(callback);
    stop();
  };
}

/**
 * Calls back once another account has signed in to this browser outside this page (by an invite or a reset link in another tab): the page then
 * belongs to nobody, and nothing of it may be shown or sent. Returns the unsubscribe function.
 */
export function onAccountChange(client: QueryClient, callback: () => void): () => void {
  let isChecking = false;
  return onAccountMismatch(() => {
    if (isChecking) return;
    isChecking = true;
    const currentId = client.getQueryData(sessionQueries.current().queryKey)?.account.id;
    const finish = (changed: boolean) => {
      isChecking = changed;
      if (changed) callback();
    };
    // A proxy may return the same error, so only the service's own session counts.
    getSession({ accountId: null }).then(
      ({ account }) => finish(account.id !== currentId),
      () => finish(false),
    );
  });
}
