import { expect, test, vi } from "vitest";
import { bodyOf } from "./drafts.ts";
import { createEdits } from "./edits.ts";

const typed = (text: string) => ({ text, named: [] });

test("beginning another ends what is untouched and keeps what is half typed, which goes on where it was left", () => {
  const edits = createEdits();
  edits.edit(1, typed("one"));
  edits.edit(2, typed("two"));
  edits.type(2, "two and a half");
  edits.edit(3, typed("three"));
  expect([...edits.all()].map(([id, { text }]) => [id, text])).toEqual([
    [2, "two and a half"],
    [3, "three"],
  ]);
  edits.edit(2, typed("two"));
  expect(edits.all().get(2)).toMatchObject({ text: "two and a half", before: "two" });
});

test("a name that is completed is a mention, and names move with what is typed before them", () => {
  const edits = createEdits();
  edits.edit(1, { text: "@Ana listen", named: [{ start: 0, end: 4, accountId: 5 }] });
  edits.type(1, "hi @Ana listen");
  edits.type(1, "hi @Ana listen @Ben ", [{ start: 15, end: 19, accountId: 6 }]);
  const { text, named } = edits.all().get(1)!;
  expect(bodyOf(text, named)).toBe("hi <@5> listen <@6> ");
});

test("what has ended is changed no more; who listens hears every change", () => {
  const edits = createEdits();
  const heard = vi.fn();
  const stop = edits.subscribe(heard);
  edits.edit(1, typed("one"));
  edits.change(1, { saving: true });
  expect(edits.all().get(1)).toMatchObject({ text: "one", saving: true });
  edits.stop(1);
  const after = edits.all();
  edits.change(1, { saving: false });
  edits.type(1, "late");
  expect(edits.all()).toBe(after);
  expect(heard).toHaveBeenCalledTimes(3);
  stop();
  edits.edit(1, typed("one"));
  expect(heard).toHaveBeenCalledTimes(3);
});
