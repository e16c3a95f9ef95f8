/** Formats requests and responses as they were sent over the network. */
import type { DeliveryAttempt } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";

const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** Bytes stored of a response body. */
const MAX_STORED_BYTES = 2_048;

/** Formats the request with its body as sent. */
export const requestText = ({ request_headers }: DeliveryAttempt, body: string) => `${headerLines(request_headers)}\n\n${body}`;

/** Formats the request with its JSON body indented, one member per line. */
export function readableRequest(attempt: DeliveryAttempt, body: string): string {
  try {
    return requestText(attempt, JSON.stringify(JSON.parse(body), null, 2));
  } catch {
    return requestText(attempt, body);
  }
}

/** Formats the stored part of the response. */
export function responseText({ status, response_headers, response_body }: DeliveryAttempt): string {
  const head = `HTTP ${status ?? ""}\n${headerLines(response_headers ?? {})}`.trimEnd();
  return `${head}\n\n${response_body ? response_body : t("emptyBody")}`;
}

/** Returns true if the response may have been longer than the stored part. */
export const isResponseTruncated = ({ response_body }: DeliveryAttempt) => new TextEncoder().encode(response_body ?? "").length >= MAX_STORED_BYTES - 3;
