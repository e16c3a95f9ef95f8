import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { DeliveryCheck, DeliveryRuleResult } from "../../../../contract/delivery-records.ts";
import type { FileCommon } from "../../../../contract/records.ts";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/delivery-check.ts";
import { useDeliveryCheck } from "../../../queries/delivery-rules/use-delivery-rules.ts";
import { useCan } from "../../../queries/permissions.ts";
import { useHasFeature } from "../../../queries/service.ts";
import { versionOf } from "../file-info.ts";
import { reasonOf, ruleName, sharedReason, summaryText } from "./format-check.ts";

/** The id of the panel's heading. */
export const DELIVERY_CHECK_ID = "delivery-check";

/** Shows whether the shown version fulfills the delivery rules of its team. Nothing is rendered where there are no rules, except a link for those who can set them. */
export function DeliveryPanel({ common }: { common: FileCommon }) {
  const hasRules = useHasFeature("delivery-rules");
  const { data, error, refetch } = useDeliveryCheck(common.id, versionOf(common));
  const canManage = useCan("delivery_rules.manage");
  if (!hasRules) return null;
  if (!data)
    return error ? (
      <PanelFrame>
        <LoadError error={error} retry={() => void refetch()} className="mt-3" />
      </PanelFrame>
    ) : null;
  if (data.result === "no_rules") {
    if (!canManage) return null;
    return (
      <PanelFrame>
        <p className="mt-1 text-text-2">
          {t("noRules")} <RulesLink>{t("setRules")}</RulesLink>
        </p>
      </PanelFrame>
    );
  }
  return (
    <PanelFrame end={canManage && <RulesLink>{t("editRules")}</RulesLink>}>
      <Summary check={data} />
      <ul className="mt-3 flex flex-col gap-2">
        {data.checks.map((check) => (
          <RuleItem key={check.rule} check={check} reason={reasonOf(check, sharedReason(data.checks))} />
        ))}
      </ul>
    </PanelFrame>
  );
}

function PanelFrame({ end, children }: { end?: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={DELIVERY_CHECK_ID} className="min-w-0 border-b border-line px-4 py-5 tablet:px-5">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={DELIVERY_CHECK_ID} tabIndex={-1} className="font-semibold">
          {t("check")}
        </h2>
        {end}
      </div>
      {children}
    </section>
  );
}

const RulesLink = ({ children }: { children: string }) => (
  <Link to="/settings/delivery-rules" className="text-sm text-link underline">
    {children}
  </Link>
);

const TONES = { passed: "text-ok", failed: "text-danger", not_measured: "text-text-2", no_rules: "text-text-2" } as const;

/** Screen readers read the result again when it changes. */
function Summary({ check }: { check: DeliveryCheck }) {
  const summary = summaryText(check) ?? "";
  const reason = check.pending ? null : sharedReason(check.checks);
  return (
    <p role="status" className={classNames("mt-1", TONES[check.result])}>
      {reason === null ? summary : t("sentence", { summary, reason })}
    </p>
  );
}

const ICONS = { passed: CircleCheck, failed: CircleX, not_measured: CircleDashed } as const;
const STATES = { passed: "isPassed", failed: "isFailed", not_measured: "notMeasured" } as const;

function RuleItem({ check: { rule, expected, measured, result }, reason }: { check: DeliveryRuleResult; reason: string | null }) {
  const Icon = ICONS[result];
  return (
    <li className="flex gap-2.5">
      <Icon size={16} role="img" aria-label={t(STATES[result])} className={classNames("mt-0.5 shrink-0", TONES[result])} />
      <span className="w-24 shrink-0 text-text-2">{ruleName(rule)}</span>
      <span className="tabular min-w-0 wrap-anywhere">
        <bdi className="font-medium">{measured ?? t("notMeasured")}</bdi>
        <span className="text-text-2">{t("wanted", { expected })}</span>
        {reason !== null && <span className={classNames("block text-sm", TONES[result])}>{reason}</span>}
      </span>
    </li>
  );
}
