/** Queries the session, signs in, handles the end of the session and account changes, and lists the sessions of all browsers. */
import { queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Session } from "../../contract/access-records.ts";
import { endSession, getSession, listSessions, previewPasswordReset, resetPassword, setUp, signIn } from "../../contract/operations/session.ts";
import { acceptInvite } from "../../contract/operations/teams.ts";
import type { Account, Organisation } from "../../contract/records.ts";
import { ApiError } from "../api/api-error.ts";
import type { BodyOf } from "../api/http.ts";
import { type ClientData, useClient } from "../client/client.ts";
import { setLocale } from "../lib/locale.ts";
import { removeById } from "./lists.ts";
import { fetchData, useOperation } from "./operations.ts";
import { serviceQueries } from "./service.ts";

export const sessionQueries = {
  /** The current session; null when nobody is signed in. Every view except sign-in depends on it. */
  current: () =>
    queryOptions({
      queryKey: ["session"],
      queryFn: async ({ signal, meta }): Promise<Session | null> => {
        const { api, queryClient } = meta!.client;
        try {
          const session = await api.data(getSession, {}, { signal });
          api.setActingAccount(session.account.id);
          return session;
        } catch (error) {
          // Without a password to sign in, the views stay until another token is entered.
          if (error instanceof ApiError && error.status === 401)
            return api.usesSession ? null : (queryClient.getQueryData(sessionQueries.current().queryKey) ?? null);
          throw error;
        }
      },
      staleTime: 5 * 60_000,
    }),
};

/** Begins the query keys of the API tokens and connected apps, which the service changes together with sessions. */
export const ISSUED_ACCESS_KEY = ["issued-access"];

export const sessionListQueries = {
  /** The browsers in which the user is signed in. */
  all: () => queryOptions({ queryKey: ["sessions"], queryFn: fetchData(listSessions, {}) }),
};

/**
 * Returns the session. Use it only in views below the `requireSession` loader, which has loaded the session; a view that is closing after sign-out keeps
 * its last session.
 */
export function useSession(): Session {
  useSuspenseQuery(sessionQueries.current());
  const session = useOptionalSession();
  if (!session) throw new Error("A view that needs a session was shown without one");
  return session;
}

/** Returns the session, or null against a service that offers no sign-in; never requests it. */
export function useOptionalSession(): Session | null {
  const { data } = useQuery({ ...sessionQueries.current(), enabled: false });
  const [lastSession, setLastSession] = useState(data);
  if (data && data !== lastSession) setLastSession(data);
  return data ?? lastSession ?? null;
}

/** Returns the session in views where usually nobody is signed in; requests it only if somebody was signed in here before. */
export function useMaybeSession(): Session | null | undefined {
  const { serviceStorage } = useClient();
  return useQuery({ ...sessionQueries.current(), enabled: serviceStorage.get("signed-in") !== null }).data;
}

export const useSignIn = () => useOperation(signIn, (body: BodyOf<typeof signIn>) => ({ body }), { onSuccess: applySignIn });
const NO_CHOICES: Organisation[] = [];
/** Returns the organizations to choose from after a sign-in that fits accounts in several; empty after any other error. */
export const getSignInChoices = (error: unknown): Organisation[] => (error instanceof ApiError ? error.organisations : NO_CHOICES);
export const useAcceptInvite = () => useOperation(acceptInvite, (body: BodyOf<typeof acceptInvite>) => ({ body }), { onSuccess: applySignIn });
/** Whose password a reset link resets. */
export const usePasswordResetPreview = (token: string) =>
  useQuery({
    queryKey: ["password-reset-preview", token],
    queryFn: fetchData(previewPasswordReset, { body: { token } }),
    enabled: token !== "",
    staleTime: Infinity,
  });

export const useResetPassword = () => useOperation(resetPassword, (body: BodyOf<typeof resetPassword>) => ({ body }), { onSuccess: applySignIn });
export const useSetUp = () =>
  useOperation(setUp, (body: BodyOf<typeof setUp>) => ({ body }), {
    onSuccess(client, session) {
      applySignIn(client, session);
      client.queryClient.removeQueries(serviceQueries.current());
    },
  });

export const useSessions = () => useQuery(sessionListQueries.all());

export const useEndSession = () =>
  useOperation(endSession, (session_id: number) => ({ params: { session_id } }), {
    onSuccess: ({ queryClient }, _, id) => queryClient.setQueryData(sessionListQueries.all().queryKey, removeById(id)),
  });

/** Returns the session after an account change; another account's change has no effect. */
export function withAccount(session: Session | null | undefined, account: Partial<Account> & { id: number }): Session | null | undefined {
  if (!session || session.account.id !== account.id) return session;
  return { ...session, account: { ...session.account, ...account } };
}

/** Applies a sign-in and clears everything of the previous account. */
export function applySignIn(client: ClientData, session: Session): void {
  client.queryClient.clear();
  client.api.setActingAccount(session.account.id);
  client.queryClient.setQueryData(sessionQueries.current().queryKey, session);
}

/** Why the session ended: the user signed out, or the service no longer accepts it. */
export type SignOutReason = "signed-out" | "ended";

/** Applies a sign-out by the user in this browser. */
export function applySignOut(client: ClientData): void {
  client.queryClient.clear();
  client.api.setActingAccount(null);
  client.queryClient.setQueryData(sessionQueries.current().queryKey, null);
  client.sessionEnd.emit("signed-out");
}

/** Ends the session when the service no longer accepts its credentials, and writes dates and numbers as its account has chosen. */
export function watchSession(client: ClientData): void {
  const { queryKey } = sessionQueries.current();
  client.queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === "updated" && query.queryKey[0] === queryKey[0]) setLocale((query.state.data as Session | null | undefined)?.account ?? {});
  });
  client.api.onSignedOut(() => {
    if (!client.api.usesSession || !client.queryClient.getQueryData(queryKey)) return;
    client.queryClient.setQueryData(queryKey, null);
    client.sessionEnd.emit("ended");
  });
}

/**
 * Calls back once another account has signed in to this browser outside this page (by an invite or a reset link in another tab): from then on the page
 * must neither show nor send anything of the previous account. Returns the unsubscribe function.
 */
export function onAccountChange({ api, queryClient }: ClientData, callback: () => void): () => void {
  let isChecking = false;
  return api.onAccountMismatch(() => {
    if (isChecking) return;
    isChecking = true;
    const currentId = queryClient.getQueryData(sessionQueries.current().queryKey)?.account.id;
    const finish = (changed: boolean) => {
      isChecking = changed;
      if (changed) callback();
    };
    // A proxy may also return 412, so compare the account of the service's session.
    api.data(getSession, {}, { accountId: null }).then(
      ({ account }) => finish(account.id !== currentId),
      () => finish(false),
    );
  });
}
