/** Classifies failed attempts into outcomes that help the user and reveal nothing about the internal network. */
import { errors } from "undici";
import type { AttemptOutcome } from "../../contract/webhook-records.ts";
import { GuardError } from "./guard.ts";

/** The attempt exceeded its total deadline. */
export class DeadlineError extends Error {}
/** The service stopped during the attempt; the receiver is not at fault. */
export class StoppedError extends Error {}

const OUTCOME_BY_CODE: [RegExp, AttemptOutcome][] = [
  [/^(ENOTFOUND|EAI_.*|ENODATA|EBADNAME)$/, "dns"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN)$/, "refused"],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/, "timeout"],
  [/^UND_ERR_HEADERS_OVERFLOW$|^HPE_HEADER_OVERFLOW$/, "headers_too_large"],
  [/^(HPE_.*|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, "protocol"],
  [/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|^EPROTO$/, "tls"],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_ABORTED|UND_ERR_DESTROYED)$/, "reset"],
];

/** Returns the outcome class for an error thrown while sending. */
export function classifyError(error: unknown): AttemptOutcome {
  const { cause, code = "" } = error as { cause?: unknown; code?: string };
  for (const candidate of [error, cause]) if (candidate instanceof GuardError) return "address_not_allowed";
  if (error instanceof DeadlineError) return "timeout";
  if (error instanceof StoppedError) return "interrupted";
  if (error instanceof errors.HeadersOverflowError) return "headers_too_large";
  if (error instanceof errors.HTTPParserError || (error instanceof errors.SocketError && error.message === "bad upgrade")) return "protocol";
  return OUTCOME_BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? "protocol";
}
