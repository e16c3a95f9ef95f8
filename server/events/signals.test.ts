/** Tests that signals from other processes are validated and forwarded. */
import { expect, it } from "vitest";
import { createSignals, type Signal } from "./signals.ts";

const typingSignal: Signal = { type: "typing", projectId: 3, accountId: 7, data: { project_id: 3, account_id: 7 } };
const readerMovedSignal: Signal = {
  type: "reader.moved",
  projectId: 3,
  accountId: 7,
  data: { project_id: 3, account_id: 7, last_read_message_id: 9, moved_at: "2026-11-21T10:00:00.000Z" },
};
const toAnnouncement = (value: unknown, origin: unknown = "theirs") => JSON.stringify({ origin, signal: value });

function createListener(): { receive(payload: string | undefined): void; signals: Signal[] } {
  const signals: Signal[] = [];
  // Receiving signals does not use the database.
  const { receive, onSignal } = createSignals({ engine: "postgres", read: undefined as never }, "ours");
  onSignal((received) => signals.push(received));
  return { receive, signals };
}

it("emits the signals of other processes and skips its own", () => {
  const { receive, signals } = createListener();
  receive(toAnnouncement(typingSignal));
  receive(toAnnouncement(readerMovedSignal));
  receive(toAnnouncement(typingSignal, "ours"));
  expect(signals).toEqual([typingSignal, readerMovedSignal]);
});
it.each([
  undefined,
  "",
  "null",
  "7",
  '"typing"',
  "[]",
  "{}",
  "{",
  "undefined",
  toAnnouncement(null),
  toAnnouncement("typing"),
  toAnnouncement([]),
  toAnnouncement(typingSignal, null),
  toAnnouncement({ ...typingSignal, type: "message.created" }),
  toAnnouncement({ ...typingSignal, projectId: "3" }),
  toAnnouncement({ ...typingSignal, accountId: -1 }),
  toAnnouncement({ ...typingSignal, data: null }),
  toAnnouncement({ ...typingSignal, data: {} }),
  toAnnouncement({ ...readerMovedSignal, data: { ...readerMovedSignal.data, last_read_message_id: "9" } }),
])("ignores the payload %s", (payload) => {
  const { receive, signals } = createListener();
  expect(() => receive(payload)).not.toThrow();
  expect(signals).toEqual([]);
});
