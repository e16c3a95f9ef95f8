import { useEffect, useState } from "react";
import { WEBHOOK_FEATURES } from "../../../../contract/webhook-features.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { formatFieldError } from "../../../queries/describe-error.ts";
import { useService } from "../../../queries/service.ts";
import { useUrlCheck } from "../../../queries/webhooks/use-webhooks.ts";
import { type FieldProps, TextField } from "../../../ui/Field.tsx";
import { findUrlIssue, isIncomplete, type UrlIssue, type UrlPolicy } from "./url-validation.ts";

/** How long the URL must stay the same before the service is asked about it. */
const CHECK_DELAY_MS = 350;

export const ISSUE_LABELS = {
  scheme: "urlScheme",
  credentials: "urlCredentials",
  fragment: "urlFragment",
  tooLong: "urlTooLong",
  malformed: "urlMalformed",
} as const satisfies Record<UrlIssue, string>;

/** Allows http:// until it is known whether the operator does, so that no valid URL is rejected. */
export const useUrlPolicy = (): UrlPolicy => ({ isHttpAllowed: useService().data?.features.includes(WEBHOOK_FEATURES.http) ?? true });

/** Edits an endpoint's URL and validates it while typing: its form here, its address by the service. `error` was found on submit. */
export function UrlField({ error, ...field }: FieldProps<string>) {
  const policy = useUrlPolicy();
  const isLocalAllowed = useService().data?.features.includes(WEBHOOK_FEATURES.local) ?? true;
  const text = field.value.trim();
  const isComplete = text !== "" && !isIncomplete(text);
  const issue = isComplete ? findUrlIssue(text, policy) : null;
  const settled = useSettled(text);
  const check = useUrlCheck(isComplete && !issue && settled === text ? text : null);
  const problem = check.data && settled === text && !issue ? check.data.problem : null;
  const isAccepted = check.data?.url === text && settled === text && problem === null;
  return (
    <TextField
      {...field}
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      autoFocus
      required
      placeholder="https://"
      error={issue ? formatFieldError(t("url"), t(ISSUE_LABELS[issue])) : (error ?? (problem ? formatFieldError(t("url"), problem) : undefined))}
      hint={
        isAccepted ? (
          <span role="status" className="text-ok">
            {t("urlValid")}
          </span>
        ) : isLocalAllowed ? (
          t("urlHintLocal")
        ) : (
          t("urlHint")
        )
      }
    />
  );
}

/** Returns the text once it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), CHECK_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
