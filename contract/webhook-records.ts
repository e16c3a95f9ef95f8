/** Wire records of webhooks: endpoints, deliveries, attempts (service document 2.7, the rest are extensions). */
import * as z from "zod/mini";
import { id, timestamp } from "./text.ts";

/**
 * Why an endpoint is disabled: paused by a person, returned 410 Gone, failed without a success for `DISABLE_ENDPOINT_AFTER_DAYS`, or set up with an API
 * token that was revoked, has expired, or belongs to an account that can no longer manage webhooks.
 */
export const DISABLED_REASONS = ["paused", "gone", "failing", "token_ended"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Delivery counts of one hour. */
const hourCount = z.looseObject({ hour: timestamp, delivered: z.int(), failed: z.int(), waiting: z.int() });

/** 2.7 `url` and `event_types`; the rest are extensions. */
export const webhookEndpoint = z.looseObject({
  id,
  url: z.string(),
  event_types: z.array(z.string()),
  description: z.string(),
  enabled: z.boolean(),
  created_at: timestamp,
  created_by_account_id: id,
  /** First failed attempt since the last successful delivery; null while deliveries succeed. Tests change nothing. */
  failing_since: z.nullable(timestamp),
  disabled_reason: z.nullable(z.string()),
  disabled_at: z.nullable(timestamp),
  disabled_by_account_id: z.nullable(id),
  /** Until this time the previous secret signs too. */
  previous_secret_until: z.nullable(timestamp),
  /** Last characters of the secret, enough to tell two apart. */
  secret_hint: z.string(),
  /** Test events count neither here nor below. */
  last_delivered_at: z.nullable(timestamp),
  /** Only events of these projects are sent; null: of every project. Deleted projects stay in the list. */
  project_ids: z.optional(z.nullable(z.array(id))),
  /** Deliveries held for Recover. */
  held_count: z.int(),
  /** The last 24 hours, oldest first. */
  recent: z.array(hourCount),
});
/** `secret` (`whsec_…`) is shown only once: a repeated request with the same `Idempotency-Key` returns no `secret`. */
export const newWebhookEndpoint = z.looseObject({ ...webhookEndpoint.shape, secret: z.optional(z.string()) });
/** `problem` is what is wrong with the URL, phrased to follow the word "URL"; null if an endpoint can have it. */
export const urlCheck = z.looseObject({ url: z.string(), problem: z.nullable(z.string()) });
/** `secret` is shown only once here too. */
export const rotatedSecret = z.looseObject({ secret: z.optional(z.string()), previous_secret_until: timestamp });

/**
 * `pending`: due, or waiting for its next attempt. `delivered`: the endpoint returned 2xx. `failed`: no attempts left.
 * `held`: the endpoint was paused or disabled; Recover sends the delivery.
 */
export const DELIVERY_STATES = ["pending", "delivered", "failed", "held"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Outcome of one attempt, in classes that reveal nothing about the service's internals. */
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
  /** HTTP status; null if no response arrived. */
  status: z.nullable(z.int()),
  /** Set on a success that deviates from the service document, which requires 200 with a JSON body. */
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
  /** The event's id, sent as the `webhook-id` header. */
  event_id: z.string(),
  event_type: z.string(),
  /** Short description of the event's subject, such as a file's name and its new status. */
  subject: z.string(),
  is_test: z.boolean(),
  state: z.string(),
  /** All attempts ever made, also those before a redelivery. */
  attempt_count: z.int(),
  next_attempt_at: z.nullable(timestamp),
  /** The time of the event, which a redelivery does not change. */
  created_at: timestamp,
  done_at: z.nullable(timestamp),
  last_attempt: z.nullable(z.looseObject(attemptSummary)),
});
export const deliveryWithAttempts = z.looseObject({
  ...delivery.shape,
  /** The request body, byte for byte. */
  body: z.string(),
  /** Newest first. */
  attempts: z.array(deliveryAttempt),
});

export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;
export type Delivery = z.infer<typeof delivery>;
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>;
export type DeliveryWithAttempts = z.infer<typeof deliveryWithAttempts>;
