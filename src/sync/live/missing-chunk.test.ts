import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { fileListKeys } from "../../queries/file-lists/list-query.ts";
import { statusKeys } from "../../queries/statuses/use-statuses.ts";
import { handleEvent } from "./event-handlers.ts";

vi.mock("../../queries/statuses/cache-updates.ts", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});

test("when the code for status events cannot load, a change of the statuses refetches them and everything that shows one", async () => {
  const client = new QueryClient();
  const keys = [statusKeys.team(1), fileListKeys.folders(1)];
  for (const key of keys) client.setQueryData(key, []);
  const data = { team_id: 1, statuses: [], default_status_id: null };
  handleEvent(
    { client, accountId: 1, isViewingChat: () => false },
    { topic: "organisation:1", seq: 1, type: "statuses.changed", time: "2026-11-17T09:00:00.000Z", data },
  );
  await vi.waitFor(() => expect(client.getQueryState(fileListKeys.folders(1))?.isInvalidated).toBe(true));
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true]);
});
