/** Explains an attempt's outcome, and formats its request and response as they were sent over the network. */
import type { DeliveryAttempt } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { isKnownOutcome, OUTCOME_LABELS } from "../states.ts";

interface OutcomeExplanation {
  summary: string;
  /** What to do, or why nothing needs to be done. */
  advice?: string;
}

/** Message keys by HTTP status. */
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

/** Statuses with a `Retry-After` header; their advice is about the retry, so it applies only if another attempt follows. */
const RETRY_AFTER_STATUSES: readonly number[] = [429, 503];

/** A longer `Retry-After` counts as a day. */
const MAX_RETRY_AFTER_MS = 86_400_000;
/** Time between the end of an attempt and its recording, from which the next one is computed. */
const RECORDING_TOLERANCE_MS = 5_000;

/** Bytes stored of a response body. */
const MAX_STORED_BYTES = 2_048;

type RetriedAttempt = Pick<DeliveryAttempt, "outcome" | "status" | "started_at" | "duration_ms" | "response_headers">;
type FinishedAttempt = Pick<DeliveryAttempt, "outcome" | "status" | "remark" | "response_headers">;

/** Explains an attempt's outcome and what to do about it. `hasNextAttempt` is true if another attempt follows. */
export function explainOutcome(attempt: FinishedAttempt, hasNextAttempt: boolean): OutcomeExplanation {
  const { outcome } = attempt;
  const status = attempt.status ?? 0;
  if (outcome === "ok") return attempt.remark ? { summary: t("okRemark", { status: String(status) }), advice: t("okRemarkAdvice") } : { summary: t("ok") };
  if (outcome === "redirect") {
    const target = findHeader(attempt, "location");
    return { summary: t("redirect", { status: String(status) }), advice: target ? t("redirectTo", { address: target }) : t("redirectAdvice") };
  }
  if (outcome === "http") return explainStatus(status, hasNextAttempt);
  if (!isKnownOutcome(outcome)) return { summary: t("unknownOutcome", { outcome }) };
  const [, summaryKey, adviceKey] = OUTCOME_LABELS[outcome];
  return { summary: t(summaryKey), advice: t(adviceKey) };
}

function explainStatus(status: number, hasNextAttempt: boolean): OutcomeExplanation {
  const knownStatus = Object.hasOwn(BY_STATUS, status) ? BY_STATUS[status as keyof typeof BY_STATUS] : null;
  const [summaryKey, adviceKey] = knownStatus ?? (status >= 500 ? (["http5xx", "http500Advice"] as const) : (["http4xx", "http4xxAdvice"] as const));
  const summary = t(summaryKey, { status: String(status) });
  return RETRY_AFTER_STATUSES.includes(status) && !hasNextAttempt ? { summary } : { summary, advice: t(adviceKey) };
}

function findHeader({ response_headers: headers }: Pick<FinishedAttempt, "response_headers">, name: string): string | undefined {
  return Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Parses `Retry-After` in seconds; null for an invalid value or a date, whose delay the response alone does not determine. */
const parseRetryAfter = (text: string | undefined) => (text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : null);

/**
 * Returns whether the next attempt is when the receiver asked for it (`Retry-After`). The schedule may wait longer, and then it says when: only one of the two
 * times is ever shown.
 */
export function isNextAsAsked({ outcome, status, started_at, duration_ms, response_headers }: RetriedAttempt, nextAttemptAt: string): boolean {
  const seconds = parseRetryAfter(findHeader({ response_headers }, "retry-after"));
  if (outcome !== "http" || !RETRY_AFTER_STATUSES.includes(status ?? 0) || seconds === null) return false;
  const asked = Date.parse(started_at) + duration_ms + Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS);
  return Math.abs(Date.parse(nextAttemptAt) - asked) <= RECORDING_TOLERANCE_MS;
}

/** Indents JSON, one member per line; returns other text as it is. */
export function readableBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Formats the stored part of the response. */
export function responseText({ status, response_headers, response_body }: DeliveryAttempt): string {
  const head = `HTTP ${status ?? ""}\n${headerLines(response_headers ?? {})}`.trimEnd();
  return `${head}\n\n${response_body ? response_body : t("emptyBody")}`;
}

/** Returns true if the response may have been longer than the stored part. */
export const isResponseTruncated = ({ response_body }: DeliveryAttempt) => new TextEncoder().encode(response_body ?? "").length >= MAX_STORED_BYTES - 3;

export const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
