/** One plain sentence on how a try ended, and one on what to do about it. */
import type { DeliveryAttempt } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";

export interface OutcomeWords {
  what: string;
  /** What helps, or why nothing needs to be done. */
  advice?: string;
}

/** By class alone, where no answer came. */
const BY_OUTCOME = {
  timeout: ["timeout", "timeoutAdvice"],
  dns: ["dns", "dnsAdvice"],
  refused: ["refused", "refusedAdvice"],
  reset: ["reset", "resetAdvice"],
  tls: ["tls", "tlsAdvice"],
  address_not_allowed: ["addressNotAllowed", "addressNotAllowedAdvice"],
  protocol: ["protocol", "protocolAdvice"],
  headers_too_large: ["headersTooLarge", "headersTooLargeAdvice"],
  interrupted: ["interrupted", "interruptedAdvice"],
  unsigned: ["unsigned", "unsignedAdvice"],
} as const;

const BY_STATUS = {
  400: ["http400", "http400Advice"],
  401: ["http401", "http401Advice"],
  403: ["http401", "http401Advice"],
  404: ["http404", "http404Advice"],
  405: ["http405", "http405Advice"],
  408: ["http408", "http408Advice"],
  410: ["http410", "http410Advice"],
  413: ["http413", "http413Advice"],
  422: ["http400", "http400Advice"],
  429: ["http429", "http429Advice"],
  500: ["http500", "http500Advice"],
  502: ["http502", "http502Advice"],
  503: ["http503", "http503Advice"],
  504: ["http502", "http502Advice"],
} as const;

type Ended = Pick<DeliveryAttempt, "outcome" | "status" | "remark" | "response_headers">;

/** `pending`: another try of the delivery is to come. */
export function wordsOf(attempt: Ended, pending: boolean): OutcomeWords {
  const { outcome } = attempt;
  const status = attempt.status ?? 0;
  if (outcome === "ok") return attempt.remark ? { what: t("okRemark", { status: String(status) }), advice: t("okRemarkAdvice") } : { what: t("ok") };
  if (outcome === "redirect") {
    const to = headerOf(attempt, "location");
    return { what: t("redirect", { status: String(status) }), advice: to ? t("redirectTo", { address: to }) : t("redirectAdvice") };
  }
  if (outcome === "http") return ofStatus(attempt, status, pending);
  if (!Object.hasOwn(BY_OUTCOME, outcome)) return { what: t("unknownOutcome", { outcome }) };
  const [what, advice] = BY_OUTCOME[outcome as keyof typeof BY_OUTCOME];
  return { what: t(what), advice: t(advice) };
}

/** Answers that ask for time: what we do about it is only true where another try is to come. */
const ASKS_FOR_TIME: readonly number[] = [429, 503];

function ofStatus(attempt: Ended, status: number, pending: boolean): OutcomeWords {
  const known = Object.hasOwn(BY_STATUS, status) ? BY_STATUS[status as keyof typeof BY_STATUS] : null;
  const [what, advice] = known ?? (status >= 500 ? (["http5xx", "http500Advice"] as const) : (["http4xx", "http4xxAdvice"] as const));
  const told = t(what, { status: String(status) });
  if (!ASKS_FOR_TIME.includes(status)) return { what: told, advice: t(advice) };
  if (!pending) return { what: told };
  const wait = secondsToWait(headerOf(attempt, "retry-after"));
  return { what: told, advice: wait === null ? t(advice) : askedToWait(wait) };
}

function headerOf({ response_headers: headers }: Ended, name: string): string | undefined {
  return Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** `Retry-After` in seconds; null for a date or nonsense, whose length the answer alone does not tell. */
const secondsToWait = (text: string | undefined) => (text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : null);

function askedToWait(seconds: number): string {
  return seconds < 90 ? t("askedSeconds", { count: seconds }) : t("askedMinutes", { count: Math.round(seconds / 60) });
}
