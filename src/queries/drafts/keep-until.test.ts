import { expect, test } from "vitest";
import { EMPTY_DRAFT, loadDraft, saveDraft } from "./drafts.ts";
import { retainDraftUntilStored } from "./keep-until.ts";

const draft = { text: "for @Ana", named: [{ start: 4, end: 8, accountId: 5 }], reply: null };

test("a draft that was sent is remembered until its message is kept", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  saveDraft(1, 2, EMPTY_DRAFT);
  retainDraftUntilStored(1, 2, draft, promise);
  expect(loadDraft(1, 2)).toEqual(draft);
  resolve();
  await promise;
  await Promise.resolve();
  expect(loadDraft(1, 2)).toEqual(EMPTY_DRAFT);
});

test("what is written meanwhile stays", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  retainDraftUntilStored(1, 2, draft, promise);
  saveDraft(1, 2, { ...EMPTY_DRAFT, text: "the next one" });
  resolve();
  await promise;
  await Promise.resolve();
  expect(loadDraft(1, 2).text).toBe("the next one");
});
