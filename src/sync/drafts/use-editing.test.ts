import { expect, test, vi } from "vitest";
import { serializeBody } from "./message-drafts.ts";
import { createEditStore } from "./use-editing.ts";

const editable = (text: string) => ({ text, named: [] });

test("starting another edit ends unchanged ones and preserves changed ones, which can continue", () => {
  const edits = createEditStore();
  edits.start(1, editable("one"));
  edits.start(2, editable("two"));
  edits.setText(2, "two and a half");
  edits.start(3, editable("three"));
  expect([...edits.all()].map(([id, { text }]) => [id, text])).toEqual([
    [2, "two and a half"],
    [3, "three"],
  ]);
  edits.start(2, editable("two"));
  expect(edits.all().get(2)).toMatchObject({ text: "two and a half", originalText: "two" });
});

test("a completed name is a mention, and mentions move with text typed before them", () => {
  const edits = createEditStore();
  edits.start(1, { text: "@Ana listen", named: [{ start: 0, end: 4, accountId: 5 }] });
  edits.setText(1, "hi @Ana listen");
  edits.setText(1, "hi @Ana listen @Ben ", [{ start: 15, end: 19, accountId: 6 }]);
  const { text, named } = edits.all().get(1)!;
  expect(serializeBody(text, named)).toBe("hi <@5> listen <@6> ");
});

test("an edit that has ended does not change, and listeners are notified of every change", () => {
  const edits = createEditStore();
  const listener = vi.fn();
  const stop = edits.subscribe(listener);
  edits.start(1, editable("one"));
  edits.change(1, { saving: true });
  expect(edits.all().get(1)).toMatchObject({ text: "one", saving: true });
  edits.stop(1);
  const after = edits.all();
  edits.change(1, { saving: false });
  edits.setText(1, "late");
  expect(edits.all()).toBe(after);
  expect(listener).toHaveBeenCalledTimes(3);
  stop();
  edits.start(1, editable("one"));
  expect(listener).toHaveBeenCalledTimes(3);
});
