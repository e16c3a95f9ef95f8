import { QueryClient } from "@tanstack/react-query";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Session } from "../../contract/access-records.ts";
import { sendMessage } from "../api/chat.ts";
import { setActingAccount } from "../api/http.ts";
import { applySignIn, applySignOut, onAccountChange, onSessionEnd, sessionQueries, withAccount } from "./session.ts";

const account = { id: 7, username: "Ana", email: "a@b.c", avatar_url: null, user_info: "" };
const session: Session = { account, organisation: { id: 1, name: "N" }, role: "admin", scopes: [], authorized_by: "session", session_id: 2 };

const buildSession = (id: number) =>
  ({
    account: {
      id,
      username: `person ${id}`,
      email: `${id}@talkback.test`,
      user_info: "",
      avatar_url: "",
      avatar: "",
      created_at: "2026-11-20T10:00:00Z",
      updated_at: "2026-11-20T10:00:00Z",
    },
    organisation: { id: 1, name: "Northlight Audio" },
    role: "member",
    scopes: [],
    authorized_by: "session",
    session_id: 1,
  }) as unknown as Session;

/** Stubs a service whose cookie session belongs to this account. */
function stubService(accountId: number) {
  const service = {
    accountId,
    /** Imitates a proxy that returns 412 for its own reasons. */
    broken: false,
    fetch: vi.fn(async (url: string, init: RequestInit) => {
      const requestedAccount = (init.headers as Headers).get("talkback-account");
      if ((requestedAccount !== null && requestedAccount !== String(service.accountId)) || (service.broken && !url.includes("session")))
        return new Response("{}", { status: 412 });
      return Response.json({ object: "session", data: buildSession(service.accountId) });
    }),
  };
  vi.stubGlobal("fetch", service.fetch);
  return service;
}
const write = () => sendMessage({ project_id: 1, body: "hello" }).catch(() => null);
const flush = () => new Promise((resolve) => setTimeout(resolve, 5));

afterEach(() => {
  vi.unstubAllGlobals();
  setActingAccount(null);
});

test("only a change of the signed-in account changes the session", () => {
  expect(withAccount(session, { id: 7, username: "Anna" })!.account).toEqual({ ...account, username: "Anna" });
  expect(withAccount(session, { id: 8, username: "Eve" })).toBe(session);
  expect(withAccount(null, { id: 7 })).toBeNull();
});

test("signing in clears what was cached before", () => {
  const client = new QueryClient();
  client.setQueryData(["projects"], [{ id: 1 }]);
  applySignIn(client, session);
  expect(client.getQueryData(["projects"])).toBeUndefined();
  expect(client.getQueryData(sessionQueries.current().queryKey)).toEqual(session);
});

test("signing out notifies listeners once, clears the cache and refetches nothing", () => {
  const client = new QueryClient();
  applySignIn(client, session);
  client.setQueryData(["members"], []);
  const listener = vi.fn();
  const stop = onSessionEnd(client, listener);
  applySignOut(client);
  expect(listener).toHaveBeenCalledExactlyOnceWith("signed-out");
  expect(client.getQueryData(["members"])).toBeUndefined();
  expect(client.getQueryData(sessionQueries.current().queryKey)).toBeNull();
  stop();
  applySignOut(client);
  expect(listener).toHaveBeenCalledTimes(1);
});

describe("when another page has switched the browser's cookie to another account", () => {
  test("a page whose account no longer matches the cookie is rejected, and notifies listeners once", async () => {
    const service = stubService(7);
    const client = new QueryClient();
    const listener = vi.fn();
    const stop = onAccountChange(client, listener);
    await client.fetchQuery(sessionQueries.current());
    await write();
    await flush();
    expect(listener).not.toHaveBeenCalled();
    service.accountId = 8;
    await Promise.all([write(), write()]);
    await flush();
    await write();
    await flush();
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
  });

  test("the same response from a proxy does not change the account", async () => {
    const service = stubService(7);
    const client = new QueryClient();
    applySignIn(client, buildSession(7));
    const listener = vi.fn();
    const stop = onAccountChange(client, listener);
    service.broken = true;
    await write();
    await flush();
    expect(listener).not.toHaveBeenCalled();
    service.accountId = 8;
    await write();
    await flush();
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
  });
});
