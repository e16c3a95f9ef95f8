import { expect, test, vi } from "vitest";
import { createPendingChanges } from "../pending-changes.ts";
import { buildMessage } from "./message.fixture.ts";
import { applyMessageChanges, type PendingMessageChange } from "./pending-changes.ts";

const reactionChange = (emoji: string, on: boolean, accountId = 1): PendingMessageChange => ({ kind: "reaction", recordId: 1, emoji, accountId, on });
const applyToMessage = (changes: PendingMessageChange[], message = buildMessage(1)) => applyMessageChanges([message], changes)[0];

test("changes without effect return the same array", () => {
  const messages = [buildMessage(1), buildMessage(2)];
  expect(applyMessageChanges(messages, [])).toBe(messages);
  expect(applyMessageChanges(messages, [{ kind: "body", recordId: 9, body: "x" }])).toBe(messages);
  expect(applyMessageChanges(messages, [reactionChange("👍", false)])).toBe(messages);
});

test("an edit shows immediately as edited, and a deleted message stays deleted", () => {
  const change: PendingMessageChange = { kind: "body", recordId: 1, body: "better" };
  expect(applyToMessage([change])).toMatchObject({ body: "better", edited: true });
  expect(applyToMessage([change], buildMessage(1, { deleted: true, body: "" }))).toMatchObject({ body: "", deleted: true });
});

test("deleting and restoring apply in the order requested", () => {
  const deletion: PendingMessageChange = { kind: "deleted", recordId: 1, deleted: true };
  expect(applyToMessage([deletion])?.deleted).toBe(true);
  expect(applyToMessage([deletion, { ...deletion, deleted: false }])?.deleted).toBe(false);
});

test("the user's own reaction joins and leaves those of others", () => {
  const liked = buildMessage(1, { reactions: [{ emoji: "👍", account_ids: [2] }] });
  expect(applyToMessage([reactionChange("👍", true)], liked)?.reactions).toEqual([{ emoji: "👍", account_ids: [2, 1] }]);
  expect(applyToMessage([reactionChange("🎉", true)], liked)?.reactions?.map(({ emoji }) => emoji)).toEqual(["👍", "🎉"]);
  expect(applyToMessage([reactionChange("👍", true), reactionChange("👍", false)], liked)?.reactions).toEqual([{ emoji: "👍", account_ids: [2] }]);
  expect(applyToMessage([reactionChange("🎉", true), reactionChange("🎉", false)], liked)?.reactions).toEqual(liked.reactions);
});

test("a pending reaction applies on top of later updates, and is not counted twice after the response", () => {
  const ownChanges = [reactionChange("👍", true)];
  const updated = buildMessage(1, { revision: 2, reactions: [{ emoji: "👍", account_ids: [2] }] });
  expect(applyToMessage(ownChanges, updated)?.reactions).toEqual([{ emoji: "👍", account_ids: [2, 1] }]);
  const answered = buildMessage(1, { revision: 3, reactions: [{ emoji: "👍", account_ids: [1, 2] }] });
  expect(applyToMessage(ownChanges, answered)).toBe(answered);
});

/** Performs a change whose response the test sends. */
function perform(changes: ReturnType<typeof createPendingChanges<PendingMessageChange>>, change: PendingMessageChange) {
  const response = Promise.withResolvers<string>();
  const send = vi.fn(() => response.promise);
  return { ...response, send, done: changes.perform(change, send, () => undefined) };
}

test("changes of one message run one after the other, even after an error; other messages do not wait", async () => {
  const changes = createPendingChanges<PendingMessageChange>();
  const first = perform(changes, reactionChange("👍", true));
  const second = perform(changes, reactionChange("👍", false));
  const other = perform(changes, { ...reactionChange("👍", true), recordId: 2 });
  other.resolve("other");
  expect(await other.done).toBe("other");
  expect([first.send, second.send].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  first.reject(new Error("refused"));
  await expect(first.done).rejects.toThrow("refused");
  second.resolve("second");
  expect(await second.done).toBe("second");
});

test("undoing a change preserves the others", async () => {
  const changes = createPendingChanges<PendingMessageChange>();
  const undone = perform(changes, reactionChange("👍", true));
  perform(changes, reactionChange("🎉", true));
  expect(changes.get()).toEqual([reactionChange("👍", true), reactionChange("🎉", true)]);
  undone.reject(new Error("refused"));
  await expect(undone.done).rejects.toThrow("refused");
  expect(changes.get()).toEqual([reactionChange("🎉", true)]);
});
