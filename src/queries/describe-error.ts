/** Turns a thrown error into text for the user: what happened, what was preserved, and how to proceed. */
import { ApiError, type FieldError } from "../api/api-error.ts";
import { t } from "../lib/texts/problems.ts";

export interface ErrorDescription {
  title: string;
  help?: string;
}

/** Returns the text of an error notice. */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof ApiError)) return { title: t("unknown"), help: t("unknownHelp") };
  if (error.kind === "offline") return { title: t("offline"), help: t("unconfirmedHelp") };
  if (error.kind === "timeout") return { title: t("timeout"), help: t("unconfirmedHelp") };
  if (error.kind === "malformed") return { title: t("malformed"), help: t("malformedHelp") };
  if (error.status === 507) return { title: t("noSpace"), help: t("noSpaceHelp") };
  if (error.status === 429) return describeRateLimit(error);
  if (error.status >= 500) return { title: t("serverError"), help: withRequestId(t("serverErrorHelp"), error) };
  return error.detail ? { title: error.detail } : { title: error.title };
}

/** The service's first sentence names the limit, the others say when to try again. */
function describeRateLimit({ detail, retryAfter = 60 }: ApiError): ErrorDescription {
  const [title, ...help] = detail?.split(/(?<=\.) /) ?? [];
  if (title !== undefined && help.length > 0) return { title, help: help.join(" ") };
  return {
    title: title ?? t("tooMany"),
    help: retryAfter < 60 ? t("waitSeconds", { count: Math.max(1, retryAfter) }) : t("waitMinutes", { count: Math.ceil(retryAfter / 60) }),
  };
}

const withRequestId = (help: string, { requestId }: ApiError) => (requestId ? `${help} ${t("request", { id: requestId })}` : help);

/** Formats an error as one or two sentences. */
export function formatErrorReason(error: unknown): string {
  const { title, help } = describeError(error);
  const sentence = /[.!?]$/.test(title) ? title : `${title}.`;
  return help === undefined ? sentence : `${sentence} ${help}`;
}

/** Returns the text of an error notice in place of content that failed to load. A load changes nothing, so the text mentions no unconfirmed change. */
export function describeLoadError(error: unknown): ErrorDescription {
  const description = describeError(error);
  if (!(error instanceof ApiError)) return { ...description, help: t("reloadHelp") };
  // `createRecovery` repeats these by itself.
  if (error.kind === "offline" || error.kind === "timeout") return { ...description, help: t("loadHelp") };
  return error.status >= 500 && error.status !== 507 ? { ...description, help: withRequestId(t("serverLoadHelp"), error) } : description;
}

export interface ReadErrorDescription extends ErrorDescription {
  /** What may help: the same request again, another token, or only another record. */
  remedy: "retry" | "token" | "another";
}

/** Returns why a record cannot be read with the access token of a connected service; `notFound` is the reason after a 404. */
export function describeReadError(error: unknown, notFound: string): ReadErrorDescription {
  const { status, kind } = error instanceof ApiError ? error : { status: 0, kind: null };
  if (kind === "malformed") return { title: t("malformed"), help: t("notTheDocument"), remedy: "retry" };
  if (kind !== "problem" || status === 429 || status >= 500) return { ...describeLoadError(error), remedy: "retry" };
  if (status === 401) return { title: t("tokenRefused"), help: t("tokenRefusedHelp"), remedy: "token" };
  if (status === 403) return { title: t("notAllowed"), help: t("notAllowedHelp"), remedy: "another" };
  if (status === 404 || status === 410) return { title: t("notFound"), help: notFound, remedy: "another" };
  return { title: t("refused", { status: String(status) }), help: (error as ApiError).detail, remedy: "another" };
}

/** Returns whether a request that changes something may have had its effect although it failed. */
export const isUnconfirmed = (error: unknown): boolean => error instanceof ApiError && (error.kind !== "problem" || error.status >= 500);

/** Returns whether the service was out of reach, so that the same request succeeds once it is back. */
export const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.isUnavailable;

/** Returns true for errors of a service call, false for errors of this page. */
export const isServiceError = (error: unknown): boolean => error instanceof ApiError;

/** Returns true when the requested resource does not exist or the user may not see it. */
export const isInaccessible = (error: unknown): boolean => error instanceof ApiError && (error.status === 404 || error.status === 403);

/** Returns true when something was not saved because somebody else has changed it meanwhile, or it would be there twice. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

/** Returns whether the user has too many connected apps for another one, and the URL that hands the error to the app, if its address is valid. */
export const readConsentError = (error: unknown): { isFull: boolean; returnUrl: string | undefined } =>
  error instanceof ApiError ? { isFull: error.status === 409, returnUrl: error.returnUrl } : { isFull: false, returnUrl: undefined };

/** Returns the validation errors that the service reported for single members of the request. */
export const getFieldErrors = (error: unknown): FieldError[] => (error instanceof ApiError ? error.errors : []);

/** Formats a field error; the service's messages are the second half of a sentence about the field ("must not be empty"). */
export function formatFieldError(label: string, message: string): string {
  const clause = message.trim().replace(/\.$/, "");
  return /^\p{Lu}/u.test(clause) ? `${clause}.` : t("fieldError", { label, error: clause });
}
