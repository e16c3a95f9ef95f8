/** Formats the check of a file against delivery rules. */
import type { DeliveryCheck, DeliveryRuleResult } from "../../../../contract/delivery-records.ts";
import { t } from "../../../lib/texts/delivery-check.ts";

/** The rules that have a name here; the list is open. */
export const NAMED_RULES = ["loudness", "true_peak", "sample_rate", "bit_depth", "channels", "format", "name"] as const;

export function ruleName(rule: string): string {
  const named = NAMED_RULES.find((candidate) => candidate === rule);
  if (named) return t(named);
  const words = rule.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the result of all rules in a few words; null without rules. */
export function summaryText({ result, pending, checks }: DeliveryCheck): string | null {
  const count = checks.length;
  const countOf = (wanted: DeliveryRuleResult["result"]) => checks.filter((check) => check.result === wanted).length;
  if (result === "no_rules") return null;
  if (result === "failed") return t("failed", { failed: countOf("failed"), count });
  if (result === "passed") return t("passed", { count });
  return pending ? t("pending") : t("unmeasured", { unmeasured: countOf("not_measured"), count });
}

/** The rules of which measured and wanted value do not say by how much they differ. */
const EXPLAINED_RULES: readonly string[] = ["loudness", "true_peak"];

/** Returns why nothing is measured if that is the same for all rules that are not, which is then said once; else null. */
export function sharedReason(checks: readonly DeliveryRuleResult[]): string | null {
  const reasons = new Set(checks.flatMap(({ result, reason }) => (result === "not_measured" ? [reason] : [])));
  return reasons.size === 1 ? ([...reasons][0] ?? null) : null;
}

/** Returns what a rule's own line still has to explain. */
export function reasonOf({ rule, result, reason }: DeliveryRuleResult, shared: string | null): string | null {
  if (result === "not_measured") return reason === shared ? null : reason;
  const isNamed = NAMED_RULES.some((candidate) => candidate === rule);
  return isNamed && !EXPLAINED_RULES.includes(rule) ? null : reason;
}
