import { expect, test, vi } from "vitest";
import { serializeBody } from "./draft-text.ts";
import { createEditStore } from "./use-editing.ts";

const editable = (text: string) => ({ text, mentions: [] });

test("starting another edit ends unchanged ones and preserves changed ones, which can continue", () => {
  const edits = createEditStore();
  edits.start(1, editable("one"));
  edits.start(2, editable("two"));
  edits.setText(2, "two and a half");
  edits.start(3, editable("three"));
  expect([...edits.get()].map(([id, { text }]) => [id, text])).toEqual([
    [2, "two and a half"],
    [3, "three"],
  ]);
  edits.start(2, editable("two"));
  expect(edits.get().get(2)).toMatchObject({ text: "two and a half", originalText: "two" });
});

test("a completed name is a mention, and mentions move with text typed before them", () => {
  const edits = createEditStore();
  edits.start(1, { text: "@Ana listen", mentions: [{ start: 0, end: 4, accountId: 5 }] });
  edits.setText(1, "hi @Ana listen");
  edits.setText(1, "hi @Ana listen @Ben ", [{ start: 15, end: 19, accountId: 6 }]);
  const { text, mentions } = edits.get().get(1)!;
  expect(serializeBody(text, mentions)).toBe("hi <@5> listen <@6> ");
});

/** Waits until the settled request has changed the edits. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

test("a saved edit ends; one whose text changed meanwhile stays open", async () => {
  const edits = createEditStore();
  const request = vi.fn(() => Promise.resolve());
  edits.start(1, editable("one"));
  edits.save(1, { body: "one", storedBody: "one" }, request);
  expect([edits.get().size, request.mock.calls.length]).toEqual([0, 0]);
  edits.start(1, editable("one"));
  edits.setText(1, "two");
  edits.save(1, { body: "two", storedBody: "one" }, request);
  expect(edits.get().get(1)).toMatchObject({ text: "two", isSaving: true });
  await settle();
  expect([edits.get().size, request.mock.calls.length]).toEqual([0, 1]);
  edits.start(1, editable("two"));
  edits.setText(1, "three");
  edits.save(1, { body: "three", storedBody: "two" }, request);
  edits.setText(1, "three and more");
  await settle();
  expect(edits.get().get(1)).toMatchObject({ text: "three and more", originalText: "three", isSaving: false, error: null });
});

test("an edit that was saved with a mention, and continued meanwhile, counts as unchanged when it is typed back", async () => {
  const edits = createEditStore();
  const mention = { start: 0, end: 4, accountId: 5 };
  edits.start(1, { text: "@Ana", mentions: [mention] });
  edits.setText(1, "@Ana listen");
  edits.save(1, { body: "<@5> listen", storedBody: "<@5>" }, () => Promise.resolve());
  edits.setText(1, "@Ana listen again");
  await settle();
  expect(edits.get().get(1)).toMatchObject({ text: "@Ana listen again", originalText: "@Ana listen" });
  edits.setText(1, "@Ana listen");
  edits.start(2, editable("two"));
  expect([...edits.get().keys()]).toEqual([2]);
});

/** Starts an edit whose save is in flight. */
function startSaving() {
  const edits = createEditStore();
  const response = Promise.withResolvers<void>();
  edits.start(1, editable("one"));
  edits.setText(1, "two");
  edits.save(1, { body: "two", storedBody: "one" }, () => response.promise);
  return { edits, response };
}

test("an edit that is started again while its text is being saved opens again and stays open", async () => {
  const { edits, response } = startSaving();
  edits.start(1, editable("two"));
  expect(edits.get().get(1)).toMatchObject({ text: "two", isSaving: false });
  response.resolve();
  await settle();
  expect(edits.get().get(1)).toMatchObject({ text: "two", originalText: "two", isSaving: false, error: null });
});

test("an edit that is started again shows why its earlier text could not be saved", async () => {
  const { edits, response } = startSaving();
  edits.start(1, editable("two"));
  response.reject(new Error("no"));
  await settle();
  expect(edits.get().get(1)).toMatchObject({ text: "two", originalText: "one", isSaving: false, error: expect.stringMatching(/^Couldn't save: /) });
});

test("a response ends neither a later save of the same edit nor a later edit", async () => {
  const { edits, response } = startSaving();
  edits.start(1, editable("two"));
  edits.setText(1, "three");
  const secondResponse = Promise.withResolvers<void>();
  edits.save(1, { body: "three", storedBody: "two" }, () => secondResponse.promise);
  response.reject(new Error("no"));
  await settle();
  expect(edits.get().get(1)).toMatchObject({ text: "three", isSaving: true, error: null });
  edits.stop(1);
  edits.start(1, editable("three"));
  const before = edits.get();
  secondResponse.resolve();
  await settle();
  expect(edits.get()).toBe(before);
});

test("an edit that is started again and submitted unchanged waits for its save", async () => {
  const { edits, response } = startSaving();
  edits.start(1, editable("two"));
  const request = vi.fn(() => Promise.resolve());
  // The text being saved is already shown as the stored one.
  edits.save(1, { body: "two", storedBody: "two" }, request);
  expect(edits.get().get(1)).toMatchObject({ text: "two", isSaving: true });
  response.resolve();
  await settle();
  expect([edits.get().size, request.mock.calls.length]).toEqual([0, 0]);
});

test("an edit that could not be saved stays open and shows why", async () => {
  const edits = createEditStore();
  edits.start(1, editable("one"));
  edits.setText(1, "two");
  edits.save(1, { body: "two", storedBody: "one" }, () => Promise.reject(new Error("no")));
  await settle();
  expect(edits.get().get(1)).toMatchObject({ text: "two", isSaving: false, error: expect.stringMatching(/^Couldn't save: /) });
});

test("an edit that has ended does not change, and listeners are notified of every change", async () => {
  const edits = createEditStore();
  const listener = vi.fn();
  const stop = edits.subscribe(listener);
  edits.start(1, editable("one"));
  const { promise, reject } = Promise.withResolvers<void>();
  edits.save(1, { body: "two", storedBody: "one" }, () => promise);
  expect(edits.get().get(1)).toMatchObject({ text: "one", isSaving: true });
  edits.stop(1);
  const after = edits.get();
  reject(new Error("no"));
  await settle();
  edits.setText(1, "late");
  expect(edits.get()).toBe(after);
  expect(listener).toHaveBeenCalledTimes(3);
  stop();
  edits.start(1, editable("one"));
  expect(listener).toHaveBeenCalledTimes(3);
});
