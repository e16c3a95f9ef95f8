/** Presents webhook endpoints, deliveries and attempts as wire records, for responses and live events. */
import type * as wire from "../../../contract/webhook-records.ts";
import type { Row } from "../../db/schema.ts";
import { eventBody } from "../../delivery/request.ts";
import { MAX_BODY_BYTES } from "../../delivery/schedule.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";
import { parseProjectIds } from "./stored-lists.ts";

/** An endpoint without its secrets, with statistics of its deliveries. */
export interface EndpointView {
  endpoint: Omit<Row<"webhook_endpoints">, "secret" | "previous_secrets">;
  /** Until when the newest previous secret signs too; null if none does. */
  previousSecretUntil: number | null;
  secretHint: string;
  lastDeliveredAt: number | null;
  heldCount: number;
  recent: HourCount[];
}
export interface HourCount {
  /** Start of the hour. */
  hour: number;
  delivered: number;
  failed: number;
  waiting: number;
}

type EventSummary = Pick<Row<"outbound_events">, "id" | "type" | "data" | "project_id">;
/** The columns of an attempt that a list shows. */
export type AttemptSummary = Pick<Row<"delivery_attempts">, "delivery_id" | "number" | "started_at" | "duration" | "outcome" | "status" | "response_body">;
export interface DeliveryView {
  delivery: Row<"deliveries">;
  event: EventSummary;
  lastAttempt: AttemptSummary | null;
}

export const presentEndpoint = ({ endpoint, previousSecretUntil, secretHint, lastDeliveredAt, heldCount, recent }: EndpointView): wire.WebhookEndpoint => ({
  id: endpoint.id,
  url: endpoint.url,
  event_types: JSON.parse(endpoint.event_types) as string[],
  description: endpoint.description,
  enabled: endpoint.enabled === 1,
  created_at: iso(endpoint.created_at),
  created_by_account_id: endpoint.created_by,
  failing_since: isoOrNull(endpoint.failing_since),
  disabled_reason: endpoint.disabled_reason,
  disabled_at: isoOrNull(endpoint.disabled_at),
  disabled_by_account_id: endpoint.disabled_by,
  previous_secret_until: isoOrNull(previousSecretUntil),
  secret_hint: secretHint,
  last_delivered_at: isoOrNull(lastDeliveredAt),
  project_ids: parseProjectIds(endpoint),
  held_count: heldCount,
  recent: recent.map(({ hour, ...counts }) => ({ hour: iso(hour), ...counts })),
});

interface NamedPayload {
  name?: string;
  title?: string;
  old_name?: string;
  new_name?: string;
  new_status?: { title?: string };
  file_name?: string;
  project_name?: string;
}

/** Describes the event's subject by names and titles only, which need no translation, and never by text of messages and comments, which may be private. */
function eventSubject({ type, data }: EventSummary): string {
  const payload = JSON.parse(data) as NamedPayload;
  const name = payload.name ?? payload.title ?? payload.file_name ?? payload.project_name ?? "";
  if (type === "file.renamed") return `${payload.old_name ?? ""} → ${payload.new_name ?? name}`;
  if (type === "file.status_changed") return `${name} → ${payload.new_status?.title ?? ""}`;
  return name;
}

/** Returns whether a possibly truncated response body looks like JSON. */
function startsLikeJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Compares bytes, because the body is cut after `MAX_BODY_BYTES`, possibly within a character of up to four bytes.
    return Buffer.byteLength(text) >= MAX_BODY_BYTES - 4 && /^\s*[[{"]/.test(text);
  }
}

/** The service document requires 200 and JSON from receivers; any other 2xx counts as delivered and gets a remark. */
function attemptRemark({ outcome, status, response_body }: AttemptSummary): string | null {
  if (outcome !== "ok" || (status === 200 && startsLikeJson(response_body ?? ""))) return null;
  return "2xx, but not 200 with JSON";
}

const presentAttemptSummary = (attempt: AttemptSummary) => ({
  number: attempt.number,
  started_at: iso(attempt.started_at),
  duration_ms: attempt.duration,
  outcome: attempt.outcome,
  status: attempt.status,
  remark: attemptRemark(attempt),
});

const parseHeaders = (text: string): Record<string, string> => JSON.parse(text) as Record<string, string>;

export const presentAttempt = (attempt: Row<"delivery_attempts">): wire.DeliveryAttempt => ({
  id: attempt.id,
  ...presentAttemptSummary(attempt),
  request_headers: parseHeaders(attempt.request_headers),
  response_headers: attempt.response_headers === null ? null : parseHeaders(attempt.response_headers),
  response_body: attempt.response_body,
});

export const presentDelivery = ({ delivery, event, lastAttempt }: DeliveryView): wire.Delivery => ({
  id: delivery.id,
  endpoint_id: delivery.endpoint_id,
  event_id: event.id,
  event_type: event.type,
  subject: eventSubject(event),
  is_test: delivery.is_test === 1,
  state: delivery.state,
  attempt_count: delivery.attempts,
  next_attempt_at: isoOrNull(delivery.next_attempt_at),
  created_at: iso(delivery.created_at),
  done_at: isoOrNull(delivery.done_at),
  last_attempt: lastAttempt && presentAttemptSummary(lastAttempt),
});

/** `attempts` is newest first. */
export const presentDeliveryWithAttempts = (view: DeliveryView, attempts: Row<"delivery_attempts">[]): wire.DeliveryWithAttempts => ({
  ...presentDelivery(view),
  body: eventBody(view.event),
  attempts: attempts.map(presentAttempt),
});
