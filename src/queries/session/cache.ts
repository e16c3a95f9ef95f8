/** Changes of the session record in the cache, and the change from one person to another. */
import type { QueryClient } from "@tanstack/react-query";
import { setActingAccount, defaultConnection, onAccountMismatch, onSignedOut } from "../../api/http.ts";
import type { Session } from "../../../contract/access-records.ts";
import type { Account } from "../../../contract/records.ts";
import { getSession } from "../../api/session.ts";
import { sessionQueries } from "./options.ts";

/** The session after its account has changed; another account's change leaves it alone. */
export function withAccount(session: Session | null | undefined, account: Partial<Account> & { id: number }): Session | null | undefined {
  if (!session || session.account.id !== account.id) return session;
  return { ...session, account: { ...session.account, ...account } };
}

/** Somebody has signed in: nothing of whoever was here before stays. */
export function applySignIn(client: QueryClient, session: Session): void {
  client.clear();
  setActingAccount(session.account.id);
  client.setQueryData(sessionQueries.current().queryKey, session);
}

/** Why nobody is signed in any more: the person said so, or the service no longer knows them. */
export type SignOutReason = "signed-out" | "ended";
const listeners = new Set<(reason: SignOutReason) => void>();

/** The person has signed out here. */
export function applySignOut(client: QueryClient): void {
  client.clear();
  setActingAccount(null);
  client.setQueryData(sessionQueries.current().queryKey, null);
  for (const listener of listeners) listener("signed-out");
}

/** Calls back when somebody was signed in here and is so no more. Returns the way to stop. */
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
 * Calls back once another account has come into this browser behind the page's back (by an invite or a reset link in another tab):
 * the page is no longer anybody's then, and nothing of it may be shown or sent. Returns the way to stop.
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
    // A proxy in between may answer the same: the service's own word counts.
    getSession({ accountId: null }).then(
      ({ account }) => finish(account.id !== currentId),
      () => finish(false),
    );
  });
}
