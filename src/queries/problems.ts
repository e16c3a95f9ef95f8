/** Turns what a call threw into words: what happened, what was kept, the way on. */
import { ApiError, type FieldError } from "../api/api-error.ts";
import { t } from "../lib/messages/problems.ts";

export interface ErrorDescription {
  title: string;
  help?: string;
}

/** For a notice in the page. */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof ApiError)) return { title: t("unknown"), help: t("unknownHelp") };
  if (error.kind === "offline") return { title: t("offline"), help: t("offlineHelp") };
  if (error.kind === "timeout") return { title: t("timeout"), help: t("timeoutHelp") };
  if (error.kind === "malformed") return { title: t("malformed"), help: t("malformedHelp") };
  if (error.status === 507) return { title: t("noSpace"), help: t("noSpaceHelp") };
  if (error.status === 429) {
    return { title: t("tooMany"), help: t("tooManyHelp", { count: Math.max(1, Math.ceil((error.retryAfter ?? 60) / 60)) }) };
  }
  if (error.status >= 500) {
    return { title: t("fault"), help: [t("faultHelp"), error.requestId && t("request", { id: error.requestId })].filter(Boolean).join(" ") };
  }
  return error.detail ? { title: error.detail } : { title: error.title };
}

/** True for what a call of the service threw, false for faults of this page. */
export const isServiceError = (error: unknown): boolean => error instanceof ApiError;

/** True where what was asked for is not there, or not for this person. */
export const isInaccessible = (error: unknown): boolean => error instanceof ApiError && (error.status === 404 || error.status === 403);

/** The faults that a service found in single members of the request. */
export const getFieldErrors = (error: unknown): FieldError[] => (error instanceof ApiError ? error.errors : []);

/** A fault beside its field: service faults are the second half of a sentence about it ("must not be empty"). */
export function formatFieldError(label: string, message: string): string {
  const clause = message.trim().replace(/\.$/, "");
  return /^\p{Lu}/u.test(clause) ? `${clause}.` : t("fieldFault", { label, fault: clause });
}
