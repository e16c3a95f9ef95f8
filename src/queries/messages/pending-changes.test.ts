import { expect, test } from "vitest";
import { createPendingChanges } from "../pending-changes.ts";
import { buildMessage } from "./message.fixture.ts";
import { applyMessageChanges, type PendingMessageChange } from "./pending-changes.ts";

const reactionChange = (emoji: string, on: boolean, accountId = 1): PendingMessageChange => ({ kind: "reaction", messageId: 1, emoji, accountId, on });
const applyToMessage = (changes: PendingMessageChange[], message = buildMessage(1)) => applyMessageChanges([message], changes)[0];

test("changes without effect return the same array", () => {
  const messages = [buildMessage(1), buildMessage(2)];
  expect(applyMessageChanges(messages, [])).toBe(messages);
  expect(applyMessageChanges(messages, [{ kind: "body", messageId: 9, body: "x" }])).toBe(messages);
  expect(applyMessageChanges(messages, [reactionChange("👍", false)])).toBe(messages);
});

test("an edit shows immediately as edited, and a deleted message stays deleted", () => {
  const change: PendingMessageChange = { kind: "body", messageId: 1, body: "better" };
  expect(applyToMessage([change])).toMatchObject({ body: "better", edited: true });
  expect(applyToMessage([change], buildMessage(1, { deleted: true, body: "" }))).toMatchObject({ body: "", deleted: true });
});

test("deleting and restoring apply in the order requested", () => {
  const deletion: PendingMessageChange = { kind: "deleted", messageId: 1, deleted: true };
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

test("changes of one message run one after the other, even after an error; other messages do not wait", async () => {
  const changes = createPendingChanges<PendingMessageChange>();
  const order: string[] = [];
  let release = () => {};
  const first = changes.runInOrder(1, async () => {
    await new Promise<void>((resolve) => (release = resolve));
    order.push("first");
    throw new Error("refused");
  });
  const second = changes.runInOrder(1, async () => order.push("second"));
  await changes.runInOrder(2, async () => order.push("other"));
  release();
  await expect(first).rejects.toThrow("refused");
  await second;
  expect(order).toEqual(["other", "first", "second"]);
});

test("undoing a change preserves the others", () => {
  const changes = createPendingChanges<PendingMessageChange>();
  const undo = changes.add(reactionChange("👍", true));
  changes.add(reactionChange("🎉", true));
  undo();
  expect(changes.get()).toEqual([reactionChange("🎉", true)]);
});
