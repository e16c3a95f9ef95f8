/** What other processes say in passing: told on, and never believed. */
import { expect, it } from "vitest";
import { createWords, type Word } from "./words.ts";

const word: Word = { type: "typing", projectId: 3, accountId: 7, data: { project_id: 3, account_id: 7 } };
const read: Word = {
  type: "reader.moved",
  projectId: 3,
  accountId: 7,
  data: { project_id: 3, account_id: 7, last_read_message_id: 9, moved_at: "2026-11-21T10:00:00.000Z" },
};
const announced = (said: unknown, origin: unknown = "theirs") => JSON.stringify({ origin, word: said });

function listening(): { heard(payload: string | undefined): void; words: Word[] } {
  const words: Word[] = [];
  // Nothing of the database is touched by listening.
  const { heard, onWord } = createWords({ engine: "postgres", read: undefined as never }, "ours");
  onWord((one) => words.push(one));
  return { heard, words };
}

it("a word of another process is told on, one's own is not told twice", () => {
  const { heard, words } = listening();
  heard(announced(word));
  heard(announced(read));
  heard(announced(word, "ours"));
  expect(words).toEqual([word, read]);
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
  announced(null),
  announced("typing"),
  announced([]),
  announced(word, null),
  announced({ ...word, type: "message.created" }),
  announced({ ...word, projectId: "3" }),
  announced({ ...word, accountId: -1 }),
  announced({ ...word, data: null }),
  announced({ ...word, data: {} }),
  announced({ ...read, data: { ...read.data, last_read_message_id: "9" } }),
])("%s is passed over", (payload) => {
  const { heard, words } = listening();
  expect(() => heard(payload)).not.toThrow();
  expect(words).toEqual([]);
});
