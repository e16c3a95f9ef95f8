import { expect, test } from "vitest";
import { applyChanges, createChanges, type Change } from "./changes.ts";
import { messageOf } from "./message.fixture.ts";

const react = (emoji: string, on: boolean, accountId = 1): Change => ({ kind: "reaction", messageId: 1, emoji, accountId, on });
const one = (changes: Change[], message = messageOf(1)) => applyChanges([message], changes)[0];

test("nothing changed is the same array", () => {
  const messages = [messageOf(1), messageOf(2)];
  expect(applyChanges(messages, [])).toBe(messages);
  expect(applyChanges(messages, [{ kind: "body", messageId: 9, body: "x" }])).toBe(messages);
  expect(applyChanges(messages, [react("👍", false)])).toBe(messages);
});

test("the text is shown at once and says that it was edited; a message that was deleted meanwhile stays deleted", () => {
  const change: Change = { kind: "body", messageId: 1, body: "better" };
  expect(one([change])).toMatchObject({ body: "better", edited: true });
  expect(one([change], messageOf(1, { deleted: true, body: "" }))).toMatchObject({ body: "", deleted: true });
});

test("deleted and brought back, in the order in which it was wanted", () => {
  const gone: Change = { kind: "deleted", messageId: 1, deleted: true };
  expect(one([gone])?.deleted).toBe(true);
  expect(one([gone, { ...gone, deleted: false }])?.deleted).toBe(false);
});

test("a reaction joins those of others and leaves them when it goes", () => {
  const liked = messageOf(1, { reactions: [{ emoji: "👍", account_ids: [2] }] });
  expect(one([react("👍", true)], liked)?.reactions).toEqual([{ emoji: "👍", account_ids: [2, 1] }]);
  expect(one([react("🎉", true)], liked)?.reactions?.map(({ emoji }) => emoji)).toEqual(["👍", "🎉"]);
  expect(one([react("👍", true), react("👍", false)], liked)?.reactions).toEqual([{ emoji: "👍", account_ids: [2] }]);
  expect(one([react("🎉", true), react("🎉", false)], liked)?.reactions).toEqual(liked.reactions);
});

test("lies over whatever comes in between: somebody else's reaction does not take mine away, the answer does not double it", () => {
  const mine = [react("👍", true)];
  const others = messageOf(1, { revision: 2, reactions: [{ emoji: "👍", account_ids: [2] }] });
  expect(one(mine, others)?.reactions).toEqual([{ emoji: "👍", account_ids: [2, 1] }]);
  const answered = messageOf(1, { revision: 3, reactions: [{ emoji: "👍", account_ids: [1, 2] }] });
  expect(one(mine, answered)).toBe(answered);
});

test("changes of one message go one after the other, also after one that fails; other messages do not wait", async () => {
  const changes = createChanges();
  const order: string[] = [];
  let open = () => {};
  const first = changes.inTurn(1, async () => {
    await new Promise<void>((resolve) => (open = resolve));
    order.push("first");
    throw new Error("refused");
  });
  const second = changes.inTurn(1, async () => order.push("second"));
  await changes.inTurn(2, async () => order.push("other"));
  open();
  await expect(first).rejects.toThrow("refused");
  await second;
  expect(order).toEqual(["other", "first", "second"]);
});

test("a change that is taken back leaves the others", () => {
  const changes = createChanges();
  const takeBack = changes.add(react("👍", true));
  changes.add(react("🎉", true));
  takeBack();
  expect(changes.all()).toEqual([react("🎉", true)]);
});
