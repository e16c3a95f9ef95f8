import { ChevronLeft } from "lucide-react";
import { Link } from "react-router";
import { t } from "../../../lib/messages/webhooks.ts";

/** Links to the endpoint list where the list is not visible beside the endpoint. */
export function BackLink() {
  return (
    <Link
      to="/settings/webhooks"
      className="-mb-2 inline-flex min-h-8 items-center gap-1 self-start rounded-md pr-2 text-text-2 hover:text-text @min-[880px]/webhooks:hidden"
    >
      <ChevronLeft size={18} aria-hidden />
      {t("backToEndpoints")}
    </Link>
  );
}
