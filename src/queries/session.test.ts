import { afterEach, describe, expect, test, vi } from "vitest";
import type { Session } from "../../contract/access-records.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../app/create-client.ts";
import { sendMessage } from "../../contract/operations/chat.ts";
import { applySignIn, applySignOut, onAccountChange, sessionQueries, withAccount } from "./session.ts";

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
const write = (client: Client) => client.api.data(sendMessage, { body: { project_id: 1, body: "hello" } }).catch(() => null);
const flush = () => new Promise((resolve) => setTimeout(resolve, 5));

afterEach(() => {
  vi.unstubAllGlobals();
});

test("only a change of the signed-in account changes the session", () => {
  expect(withAccount(session, { id: 7, username: "Anna" })!.account).toEqual({ ...account, username: "Anna" });
  expect(withAccount(session, { id: 8, username: "Eve" })).toBe(session);
  expect(withAccount(null, { id: 7 })).toBeNull();
});

test("signing in clears what was cached before", () => {
  const client = createClient();
  client.queryClient.setQueryData(["projects"], [{ id: 1 }]);
  applySignIn(client, session);
  expect(client.queryClient.getQueryData(["projects"])).toBeUndefined();
  expect(client.queryClient.getQueryData(sessionQueries.current().queryKey)).toEqual(session);
});

test("signing out notifies listeners once, clears the cache and refetches nothing", () => {
  const client = createClient();
  applySignIn(client, session);
  client.queryClient.setQueryData(["members"], []);
  const listener = vi.fn();
  const stop = client.sessionEnd.subscribe(listener);
  applySignOut(client);
  expect(listener).toHaveBeenCalledExactlyOnceWith("signed-out");
  expect(client.queryClient.getQueryData(["members"])).toBeUndefined();
  expect(client.queryClient.getQueryData(sessionQueries.current().queryKey)).toBeNull();
  stop();
  applySignOut(client);
  expect(listener).toHaveBeenCalledTimes(1);
});

describe("when another page has switched the browser's cookie to another account", () => {
  test("a page whose account no longer matches the cookie is rejected, and notifies listeners once", async () => {
    const service = stubService(7);
    const client = createClient();
    const listener = vi.fn();
    const stop = onAccountChange(client, listener);
    await client.queryClient.fetchQuery(sessionQueries.current());
    await write(client);
    await flush();
    expect(listener).not.toHaveBeenCalled();
    service.accountId = 8;
    await Promise.all([write(client), write(client)]);
    await flush();
    await write(client);
    await flush();
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
  });

  test("the same response from a proxy does not change the account", async () => {
    const service = stubService(7);
    const client = createClient();
    applySignIn(client, buildSession(7));
    const listener = vi.fn();
    const stop = onAccountChange(client, listener);
    service.broken = true;
    await write(client);
    await flush();
    expect(listener).not.toHaveBeenCalled();
    service.accountId = 8;
    await write(client);
    await flush();
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
  });
});
