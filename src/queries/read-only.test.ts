import { type Query, type QueryObserverOptions, skipToken } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Session } from "../../contract/access-records.ts";
import { createClient } from "../app/create-client.ts";
import { useFileInfo, useFileInfoOnce, usePeakLevels, usePeaks } from "./files/use-file.ts";
import { renderHook } from "./hook.fixture.ts";
import { useNewestMessages } from "./messages/newest-messages.ts";
import { useMessageHistory } from "./messages/use-message-history.ts";
import { usePeople } from "./members.ts";
import { useReaders } from "./messages/use-read-markers.ts";
import { useCan } from "./permissions.ts";
import { useHasFeature } from "./service.ts";
import { sessionQueries, useOptionalSession } from "./session.ts";
import { useTeamStatuses } from "./statuses/use-statuses.ts";

const PROJECT = 5;
const FILE = 7;
const VERSION = null;

function isEnabled(query: Query): boolean {
  const { enabled } = query.options as QueryObserverOptions;
  return query.options.queryFn !== skipToken && (typeof enabled === "function" ? enabled(query) : (enabled ?? true));
}

// The pace of polls depends on the page's visibility.
beforeEach(() => void vi.stubGlobal("document", { visibilityState: "visible", hasFocus: () => true }));
afterEach(() => vi.unstubAllGlobals());

test("what the read-only views query is only what the service document offers", () => {
  const client = createClient({ baseUrl: "https://media.example", token: "t" });
  const requestedKeys = (useQueries: () => unknown) => {
    client.queryClient.clear();
    renderHook(client, useQueries);
    return client.queryClient
      .getQueryCache()
      .getAll()
      .filter(isEnabled)
      .map(({ queryKey }) => queryKey);
  };
  // The chat, and an audio file in it that nobody has played.
  const useChatQueries = () => [useNewestMessages(PROJECT), useMessageHistory(PROJECT, "latest", false), useFileInfoOnce(FILE, false), useCan("file.process")];
  expect(requestedKeys(useChatQueries)).toEqual([["newest-messages", PROJECT]]);
  expect(requestedKeys(() => useFileInfoOnce(FILE, true))).toHaveLength(1);
  // A file's page, whose records have no versions.
  const useFileQueries = () => [useFileInfo(FILE), usePeaks(FILE, VERSION, 100), usePeakLevels(FILE, VERSION), useCan("file.tags"), useOptionalSession()];
  expect(requestedKeys(useFileQueries)).toEqual(requestedKeys(() => useFileInfo(FILE)));
});

test("without a session nothing is allowed", () => {
  const client = createClient();
  expect(renderHook(client, () => [useOptionalSession(), useCan("file.process")])).toEqual([null, false]);
  client.queryClient.setQueryData(sessionQueries.current().queryKey, { role: "owner" } as Session);
  expect(renderHook(client, () => useCan("file.process"))).toBe(true);
});

test("an action is allowed if both the role and the service allow it", () => {
  const client = createClient();
  client.queryClient.setQueryData(sessionQueries.current().queryKey, { role: "member" } as Session);
  const service = { name: "Talkback", version: "1", features: ["statuses", "webhooks"], limits: {}, setup_required: false };
  const readRights = () =>
    renderHook(client, () => [useCan("file.status"), useCan("file.process"), useCan("webhook.manage"), useCan("project.create"), useHasFeature("statuses")]);
  expect(readRights()).toEqual([true, true, false, true, true]);
  client.api.service.set(service);
  expect(readRights()).toEqual([true, false, false, true, true]);
  client.queryClient.setQueryData(sessionQueries.current().queryKey, { role: "owner" } as Session);
  expect(readRights()).toEqual([true, false, true, true, true]);
  client.api.service.set({ ...service, features: [] });
  expect(readRights()).toEqual([false, false, false, true, false]);
});

test("what a service lacks is not queried, and people have the number of their account where nobody is listed", () => {
  const client = createClient();
  client.queryClient.setQueryData(sessionQueries.current().queryKey, { role: "owner", account: { id: 1, username: "Olga", avatar_url: null } } as Session);
  function readNames(): { names: (string | undefined)[]; queryCount: number } {
    const personOf = renderHook(client, () => {
      useTeamStatuses(1);
      useReaders(PROJECT);
      return usePeople(PROJECT);
    });
    return { names: [personOf(1)?.name, personOf(12)?.name], queryCount: client.queryClient.getQueryCache().getAll().filter(isEnabled).length };
  }
  client.api.service.set({ name: "Talkback", version: "1", features: ["projects", "chat"], limits: {}, setup_required: false });
  expect(readNames()).toEqual({ names: ["Olga", "Account 12"], queryCount: 0 });
  client.api.service.set(undefined);
  expect(readNames()).toEqual({ names: ["Olga", undefined], queryCount: 4 });
});
