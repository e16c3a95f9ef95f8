import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { escapePattern, selectTests } from "./selection.ts";

const FILES = {
  "contract/text.test.ts": 'test("counts characters", () => {});',
  "server/modules/chat/chat.test.ts": 'it.each([1])("pages backwards (twice)", () => {});\n])("row of a table", () => {});',
  "server/modules/chat/chat.ts": "",
  "src/lib/days.test.ts": "test('says \\'today\\'', () => {});",
  "bin/a.test.ts": "",
  "bench/b.ts": "",
  "tools/c.ts": "",
  "e2e/specs/chat/paging.spec.ts": "test(`older messages come`, async () => {});",
  "e2e/fixtures/chat.ts": "",
};

function project(): string {
  const root = mkdtempSync(join(tmpdir(), "talkback-selection-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test("part of a path selects whole unit and browser test files", () => {
  expect(selectTests(project(), "chat/")).toEqual({ unit: ["server/modules/chat/chat.test.ts"], browser: ["e2e/specs/chat/paging.spec.ts"] });
});

test("part of a title selects the tests with that title, ignoring case", () => {
  expect(selectTests(project(), "Pages Backwards (")).toEqual({ unit: ["server/modules/chat/chat.test.ts"], browser: [], title: "Pages Backwards (" });
  expect(selectTests(project(), "of a table")).toMatchObject({ unit: ["server/modules/chat/chat.test.ts"] });
  expect(selectTests(project(), "async")).toMatchObject({ unit: [], browser: [] });
  expect(selectTests(project(), "older messages")).toEqual({ unit: [], browser: ["e2e/specs/chat/paging.spec.ts"], title: "older messages" });
});

test("text that matches no path and no title selects nothing", () => {
  expect(selectTests(project(), "no such thing")).toMatchObject({ unit: [], browser: [] });
});

test("a pattern is matched literally", () => {
  const title = "a.b (c) [d] /e/ $f^ {g|h}* i+ j? k\\l";
  expect(new RegExp(`^${escapePattern(title)}$`).test(title)).toBe(true);
  expect(new RegExp(escapePattern("a.b")).test("axb")).toBe(false);
  expect(new RegExp(escapePattern("Ä b")).test("ä B")).toBe(true);
});
