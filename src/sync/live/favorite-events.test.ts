/** Tests which events make favorites and recent items load again: those that change what the lists show of an item, and no others. */
import { expect, test } from "vitest";
import type { ListedItem } from "../../../contract/favorite-records.ts";
import { createClient } from "../../app/create-client.ts";
import { favoriteKeys } from "../../queries/favorites/favorites.ts";
import { buildEntry } from "../../queries/file-lists/entry.fixture.ts";
import { buildMessage } from "../../queries/messages/message.fixture.ts";
import { handleEvent } from "./event-handlers.ts";
import { invalidateTopic } from "./invalidate-topic.ts";

const item = (type: ListedItem["type"], id: number, name: string): ListedItem => ({ type, id, project_id: 1, project_name: "Nightdrive", name, kind: "audio" });

/** Returns which lists are outdated after an event, of which the favorites have a file and a message, and the recent items the file only. */
function outdatedAfter(apply: (client: ReturnType<typeof createClient>) => void): string[] {
  const client = createClient();
  const [file, message] = [item("file", 7, "mix.wav"), item("message", 9, "Listen")];
  client.queryClient.setQueryData(favoriteKeys.favorites, [{ item: file }, { item: message }]);
  client.queryClient.setQueryData(favoriteKeys.recent, [{ item: file }]);
  apply(client);
  return Object.entries(favoriteKeys).flatMap(([name, key]) => (client.queryClient.getQueryState(key)?.isInvalidated ? name : []));
}

const outdatedBy = (type: string, data: object) =>
  outdatedAfter((client) =>
    handleEvent(
      { client, accountId: 1, isViewingChat: () => false },
      { topic: "project:1", seq: 1, type, time: "2026-11-27T00:00:00.000Z", data: { ...data } },
    ),
  );

const BOTH = ["favorites", "recent"];

test("a file that is renamed, deleted or restored", () => {
  const entry = buildEntry(7, { name: "mix.wav", kind: "audio" });
  expect(outdatedBy("file.updated", entry)).toEqual([]);
  expect(outdatedBy("file.updated", { ...entry, name: "mix 2.wav" })).toEqual(BOTH);
  expect(outdatedBy("file.updated", buildEntry(8, { name: "other.wav" }))).toEqual([]);
  expect(outdatedBy("file.deleted", { id: 7, parent_id: 1 })).toEqual(BOTH);
  expect(outdatedBy("file.deleted", { id: 8, parent_id: 1 })).toEqual([]);
  expect(outdatedBy("file.deleted", { id: 8, parent_id: 1, is_folder: true })).toEqual(BOTH);
  expect(outdatedBy("file.created", { ...buildEntry(8), restored: true })).toEqual(BOTH);
});

test("a message that is edited or deleted", () => {
  expect(outdatedBy("message.updated", buildMessage(9, { deleted: true }))).toEqual(["favorites"]);
  expect(outdatedBy("message.updated", buildMessage(10))).toEqual([]);
});

test("another name of the project, and projects that one sees or no longer sees", () => {
  expect(outdatedBy("projects.changed", { project_id: 4 })).toEqual(BOTH);
});

test("events that were missed", () => {
  expect(outdatedAfter((client) => invalidateTopic(client, "account:1"))).toEqual(BOTH);
  expect(outdatedAfter((client) => invalidateTopic(client, "project:1"))).toEqual(BOTH);
  expect(outdatedAfter((client) => invalidateTopic(client, "organisation:1"))).toEqual([]);
});
