import { CircleCheck, CircleX } from "lucide-react";
import type { FileCommon } from "../../../../contract/records.ts";
import { classNames } from "../../../lib/class-names.ts";
import { useDeliveryCheck } from "../../../queries/delivery-rules/use-delivery-rules.ts";
import { versionOf } from "../file-info.ts";
import { DELIVERY_CHECK_ID } from "./DeliveryPanel.tsx";
import { summaryText } from "./format-check.ts";

/** Shows in the header whether the shown version passes its checks, once that is certain, and leads to the checks. A phone has no room for it. */
export function DeliveryBadge({ common }: { common: FileCommon }) {
  const check = useDeliveryCheck(common.id, versionOf(common)).data;
  if (check?.result !== "passed" && check?.result !== "failed") return null;
  const isPassed = check.result === "passed";
  const Icon = isPassed ? CircleCheck : CircleX;
  const text = summaryText(check) ?? "";
  return (
    <button
      type="button"
      aria-label={text}
      data-tooltip={text}
      onClick={() => {
        const heading = document.getElementById(DELIVERY_CHECK_ID);
        heading?.scrollIntoView({ block: "start" });
        heading?.focus({ preventScroll: true });
      }}
      className={classNames(
        "inline-flex h-6 shrink-0 max-tablet:hidden items-center gap-1.5 rounded-full px-1.5 text-sm font-medium whitespace-nowrap desktop:px-2.5",
        isPassed ? "bg-ok/12 text-ok" : "bg-danger/12 text-danger",
      )}
    >
      <Icon size={14} aria-hidden />
      <span className="max-desktop:hidden">{text}</span>
    </button>
  );
}
