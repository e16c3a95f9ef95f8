import { expect, test } from "vitest";
import { startAtMatch } from "./use-search-entries.tsx";

test.each([
  ["Short text with the match", "match", "Short text with the match"],
  ["A text that is much longer before the match is found", "match", "…much longer before the match is found"],
  [`${"長い文章".repeat(10)}日本語の字典`, "字典", "…字典"],
  ["One single match", "absent", "One single match"],
])("a text of one line begins shortly before its match: %s", (text, query, expected) => expect(startAtMatch(text, query)).toBe(expected));
