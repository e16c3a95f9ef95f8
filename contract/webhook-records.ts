/** Wire records of webhooks: endpoints, deliveries, attempts (service document 2.6 and 2.7, the rest are extensions). */
import * as z from "zod/mini";
import { id, timestamp } from "./text.ts";

/** 2.6 */
export const webhookEvent = z.looseObject({ object: z.literal("event"), id: z.string(), type: z.string(), data: z.looseObject({}) });

/** Why an endpoint is not enabled: paused by a person, answered 410 Gone, or failed for five days without a break. */
export const DISABLED_REASONS = ["paused", "gone", "failing"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What became of the events of one hour. */
const hourCount = z.looseObject({ hour: timestamp, delivered: z.int(), failed: z.int(), waiting: z.int() });

/** 2.7 `url` and `event_types`; the rest are extensions. */
export const webhookEndpoint = z.looseObject({
  id,
  url: z.string(),
  event_types: z.array(z.string()),
  description: z.string(),
  enabled: z.boolean(),
  created_at: timestamp,
  /** First failed attempt since the last delivery; null while all is well. */
  failing_since: z.nullable(timestamp),
  disabled_reason: z.nullable(z.string()),
  disabled_at: z.nullable(timestamp),
  disabled_by_account_id: z.nullable(id),
  /** Until when the secret before the last rotation signs too. */
  previous_secret_until: z.nullable(timestamp),
  /** Last characters of the secret, enough to tell two apart. */
  secret_hint: z.string(),
  last_delivered_at: z.nullable(timestamp),
  /** Deliveries kept for Recover. */
  held_count: z.int(),
  /** The last 24 hours, oldest first. */
  recent: z.array(hourCount),
});
/** `secret` (`whsec_…`) is shown this once: a repeated request is answered without it. */
export const newWebhookEndpoint = z.looseObject({ ...webhookEndpoint.shape, secret: z.optional(z.string()) });
/** `secret` is shown this once too. */
export const rotatedSecret = z.looseObject({ secret: z.optional(z.string()), previous_secret_until: timestamp });

/**
 * `pending`: due, or waiting for its next try. `delivered`: answered with 2xx. `failed`: given up.
 * `held`: the endpoint was paused or disabled; Recover sends it.
 */
export const DELIVERY_STATES = ["pending", "delivered", "failed", "held"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What happened to one try, in classes that tell nothing of the service's inside. */
export const ATTEMPT_OUTCOMES = [
  "ok",
  "http",
  "redirect",
  "timeout",
  "dns",
  "refused",
  "reset",
  "tls",
  "address_not_allowed",
  "protocol",
  "headers_too_large",
  "interrupted",
  "unsigned",
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

const attemptSummary = {
  number: z.int(),
  started_at: timestamp,
  duration_ms: z.int(),
  outcome: z.string(),
  /** HTTP status; null where no answer came. */
  status: z.nullable(z.int()),
  /** Set on a success that is not what the document asks for: 200 with a JSON body. */
  remark: z.nullable(z.string()),
};
export const deliveryAttempt = z.looseObject({
  id,
  ...attemptSummary,
  request_headers: z.record(z.string(), z.string()),
  response_headers: z.nullable(z.record(z.string(), z.string())),
  /** First 2 KiB. */
  response_body: z.nullable(z.string()),
});
export const delivery = z.looseObject({
  id,
  endpoint_id: id,
  /** The event's id: what `webhook-id` carries. */
  event_id: z.string(),
  event_type: z.string(),
  /** What it is about in a few words, such as a file's name and its new status. */
  subject: z.string(),
  is_test: z.boolean(),
  state: z.string(),
  attempt_count: z.int(),
  next_attempt_at: z.nullable(timestamp),
  created_at: timestamp,
  done_at: z.nullable(timestamp),
  last_attempt: z.nullable(z.looseObject(attemptSummary)),
});
export const deliveryWithAttempts = z.looseObject({
  ...delivery.shape,
  /** The request's body, byte for byte. */
  body: z.string(),
  /** Newest first. */
  attempts: z.array(deliveryAttempt),
});

export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;
export type Delivery = z.infer<typeof delivery>;
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;
export type DeliveryWithAttempts = z.infer<typeof deliveryWithAttempts>;
