/** Tests a page whose browser cookie another page has switched to another account. */
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import type { Session } from "../../contract/access-records.ts";
import { sendMessage } from "../api/chat.ts";
import { setActingAccount } from "../api/http.ts";
import { applySignIn, onAccountChange, sessionQueries } from "./session.ts";

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

test("a page that has learnt who is signed in is refused as anybody else, and told once", async () => {
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

test("the same answer from something in between changes nobody", async () => {
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
