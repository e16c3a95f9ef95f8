import { expect, test } from "vitest";
import { compareKeys, foldName, nameOrderKey } from "./file-order.ts";

test.each([
  ["Été", "e\u0301te\u0301"],
  ["Ångström", "angstrom"],
  ["Ðïfficult Ệ", "ðifficult e"],
  ["ΆΛΦΑ", "αλφα"],
  ["ＭＩＸ ①", "mix 1"],
])("foldName ignores case, accents and Unicode form: %s, %s", (a, b) => expect(foldName(a)).toBe(foldName(b)));

test.each([
  ["ガ", "カ"],
  ["バ", "パ"],
  ["パ", "ハ"],
  ["й", "и"],
  ["กิน", "กัน"],
  ["कि", "का"],
])("foldName keeps different letters apart: %s, %s", (a, b) => {
  expect(foldName(a)).not.toBe(foldName(b));
  expect(foldName(a)).toBe(foldName(a.normalize("NFD")));
  expect(compareKeys(nameOrderKey(a, true), nameOrderKey(b, true))).not.toBe(0);
});

test("foldName never folds searchable text to an empty string", () => {
  for (const text of ["\u0301", "\u0e34", "\u200d", "ß", "ﷺ"]) expect(foldName(text)).not.toBe("");
});
