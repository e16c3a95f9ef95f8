import { expect, test } from "vitest";
import type { DeliveryCheck, DeliveryRuleResult } from "../../../../contract/delivery-records.ts";
import { reasonOf, ruleName, sharedReason, summaryText } from "./format-check.ts";

const result = (rule: string, state: DeliveryRuleResult["result"], reason: string | null = null): DeliveryRuleResult => ({
  rule,
  expected: "24 bit",
  measured: state === "not_measured" ? null : "16 bit",
  result: state,
  reason,
});
const check = (state: DeliveryCheck["result"], checks: DeliveryRuleResult[], pending = false): DeliveryCheck => ({
  object: "delivery_check",
  file_id: 1,
  version: 1,
  result: state,
  pending,
  checks,
});
const ANALYZED = "The file is still being analyzed.";

test.each([
  ["2 of 3 checks fail", check("failed", [result("loudness", "failed"), result("format", "failed"), result("name", "passed")])],
  ["All 2 checks pass", check("passed", [result("format", "passed"), result("name", "passed")])],
  ["The check passes", check("passed", [result("name", "passed")])],
  ["1 of 2 not measured", check("not_measured", [result("loudness", "not_measured"), result("name", "passed")])],
  ["Checked once the file is analyzed", check("not_measured", [result("loudness", "not_measured")], true)],
  ["1 of 2 checks fail", check("failed", [result("loudness", "not_measured"), result("name", "failed")], true)],
  [null, check("no_rules", [])],
])("the summary is %s", (text, shown) => {
  expect(summaryText(shown)).toBe(text);
});

test("rules of a newer service are named by their own name", () => {
  expect([ruleName("true_peak"), ruleName("dialog_loudness")]).toEqual(["True peak", "Dialog loudness"]);
});

test("a reason that all unmeasured rules share is told once, and one that the values tell already not at all", () => {
  const shared = [result("loudness", "not_measured", ANALYZED), result("true_peak", "not_measured", ANALYZED), result("name", "failed", "No match")];
  expect(sharedReason(shared)).toBe(ANALYZED);
  expect(shared.map((one) => reasonOf(one, ANALYZED))).toEqual([null, null, null]);
  const own = [result("loudness", "not_measured", ANALYZED), result("format", "not_measured", "Unknown format")];
  expect(sharedReason(own)).toBeNull();
  expect(own.map((one) => reasonOf(one, null))).toEqual([ANALYZED, "Unknown format"]);
  expect(sharedReason([result("name", "passed")])).toBeNull();
  expect(reasonOf(result("loudness", "failed", "4.2 LU too loud"), null)).toBe("4.2 LU too loud");
  expect(reasonOf(result("bit_depth", "failed", "Not 24 bit"), null)).toBeNull();
  expect(reasonOf(result("dialog_loudness", "failed", "Too quiet"), null)).toBe("Too quiet");
});
