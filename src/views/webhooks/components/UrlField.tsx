import { t } from "../../../lib/messages/webhooks.ts";
import { formatFieldError } from "../../../queries/problems.ts";
import { TextField } from "../../../ui/Field.tsx";
import { findUrlIssue, isIncomplete, type UrlIssue } from "../model/url-check.ts";
import { useUrlPolicy } from "./use-allowed.ts";

const ISSUE_LABELS = {
  scheme: "urlScheme",
  credentials: "urlCredentials",
  fragment: "urlFragment",
  tooLong: "urlTooLong",
  malformed: "urlMalformed",
  private: "urlPrivate",
} as const satisfies Record<UrlIssue, string>;

/** Describes a URL issue as the second half of a sentence. */
export const urlIssueLabel = (issue: UrlIssue) => t(ISSUE_LABELS[issue]);

interface Props {
  value: string;
  onChange(url: string): void;
  /** The error found by the service or on submit. */
  error: string | undefined;
}

/** Edits an endpoint's URL and validates it while typing. */
export function UrlField({ value, onChange, error }: Props) {
  const policy = useUrlPolicy();
  const text = value.trim();
  const issue = text === "" || isIncomplete(text) ? null : findUrlIssue(text, policy);
  const issueText = issue ? formatFieldError(t("url"), urlIssueLabel(issue)) : undefined;
  const isValid = text !== "" && !isIncomplete(text) && !issue;
  return (
    <TextField
      label={t("url")}
      type="url"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      autoFocus
      required
      placeholder="https://"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={issueText ?? error}
      hint={isValid ? <span className="text-ok">{t("urlValid")}</span> : policy.local ? t("urlHintLocal") : t("urlHint")}
    />
  );
}
