import { Info } from "lucide-react";
import { t } from "../../lib/messages/shell.ts";

/** Explains what is missing if the page was loaded over plain http from another machine. */
export function InsecureLine() {
  if (isSecureContext) return null;
  return (
    <p className="flex min-h-8 shrink-0 items-center justify-center gap-2 bg-accent-soft px-4 py-1 text-sm text-text">
      <Info size={15} aria-hidden className="shrink-0 text-accent-text" />
      {t("insecure")}
    </p>
  );
}
