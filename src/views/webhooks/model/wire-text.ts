/** Requests and answers as text, the way they went over the wire. */
import type { DeliveryAttempt } from "../../../../contract/webhook-records.ts";
import { t } from "../../../lib/messages/webhooks.ts";

const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** What is kept of an answer's body, in bytes. */
const MAX_STORED_BYTES = 2_048;

/** The request with its body as it was sent. */
export const requestText = ({ request_headers }: DeliveryAttempt, body: string) => `${headerLines(request_headers)}\n\n${body}`;

/** The same to read: JSON with a member on each line. */
export function readableRequest(attempt: DeliveryAttempt, body: string): string {
  try {
    return requestText(attempt, JSON.stringify(JSON.parse(body), null, 2));
  } catch {
    return requestText(attempt, body);
  }
}

/** The answer as far as it is kept. */
export function responseText({ status, response_headers, response_body }: DeliveryAttempt): string {
  const head = `HTTP ${status ?? ""}\n${headerLines(response_headers ?? {})}`.trimEnd();
  return `${head}\n\n${response_body ? response_body : t("emptyAnswer")}`;
}

/** Whether there was perhaps more of the answer than is kept. */
export const isResponseTruncated = ({ response_body }: DeliveryAttempt) => new TextEncoder().encode(response_body ?? "").length >= MAX_STORED_BYTES - 3;
