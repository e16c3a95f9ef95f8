import { t } from "../../../lib/messages/webhooks.ts";
import { sentence } from "../../../queries/problems.ts";
import { TextField } from "../../../ui/Field.tsx";
import { faultOfUrl, isUnderway, type UrlFault } from "../model/url-check.ts";
import { useAllowed } from "./use-allowed.ts";

const WORDS = {
  scheme: "urlScheme",
  credentials: "urlCredentials",
  fragment: "urlFragment",
  tooLong: "urlTooLong",
  malformed: "urlMalformed",
  private: "urlPrivate",
} as const satisfies Record<UrlFault, string>;

/** What is wrong with an address, as the second half of a sentence. */
export const urlFaultWords = (fault: UrlFault) => t(WORDS[fault]);

interface Props {
  value: string;
  onChange(url: string): void;
  /** What the service or sending found. */
  error: string | undefined;
}

/** An endpoint's address, judged while it is typed. */
export function UrlField({ value, onChange, error }: Props) {
  const allowed = useAllowed();
  const text = value.trim();
  const fault = text === "" || isUnderway(text) ? null : faultOfUrl(text, allowed);
  const found = fault ? sentence(t("url"), urlFaultWords(fault)) : undefined;
  const fine = text !== "" && !isUnderway(text) && !fault;
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
      error={found ?? error}
      hint={fine ? <span className="text-ok">{t("urlFine")}</span> : allowed.local ? t("urlHintLocal") : t("urlHint")}
    />
  );
}
