/** Decides what follows from an attempt for the delivery and its endpoint: done, retry, or disable. */
import type { DisabledReason } from "../../contract/webhook-records.ts";
import type { Row } from "../db/schema.ts";
import { DISABLE_ENDPOINT_AFTER_MS, nextRetryDelayMs } from "./schedule.ts";
import type { AttemptResult } from "./guarded-post.ts";

export type DeliveryChange = Pick<Row<"deliveries">, "state" | "step" | "next_attempt_at" | "done_at">;
/** The endpoint of an attempt, loaded and locked again when the result is recorded, so that a change made meanwhile counts. */
export type AttemptedEndpoint = Pick<Row<"webhook_endpoints">, "enabled" | "failing_since" | "deleted_at"> & {
  /** True when the endpoint's URL has changed since the attempt, whose result therefore does not apply to the endpoint. */
  hasMoved?: boolean;
};

export interface RetryDecision {
  delivery: DeliveryChange;
  /** Time of the first failure since the last success; unchanged if the attempt does not affect it, as a test never does. */
  failingSince: number | null;
  /** Why the endpoint must be disabled; null: it stays as it is. */
  disable: DisabledReason | null;
}

/** Returns the changes to the delivery and its endpoint. `random` is 0 to 1. */
export function decideRetry(
  delivery: Pick<Row<"deliveries">, "step" | "is_test">,
  endpoint: AttemptedEndpoint,
  result: AttemptResult,
  now: number,
  random: number,
): RetryDecision {
  const { step, is_test } = delivery;
  const isActive = endpoint.enabled === 1 && endpoint.deleted_at === null;
  const finish = (state: "delivered" | "failed", nextStep: number): DeliveryChange => ({ state, step: nextStep, next_attempt_at: null, done_at: now });
  const retryLater = (nextStep: number, delayMs: number): DeliveryChange =>
    isActive
      ? { state: "pending", step: nextStep, next_attempt_at: now + delayMs, done_at: null }
      : endpoint.deleted_at === null
        ? { state: "held", step: nextStep, next_attempt_at: null, done_at: null }
        : finish("failed", nextStep);

  if (result.outcome === "ok")
    return { delivery: finish("delivered", step + 1), failingSince: endpoint.hasMoved || is_test ? endpoint.failing_since : null, disable: null };
  if (result.outcome === "interrupted") {
    // An interrupted attempt does not count as a failure. A test is repeated even if the endpoint is paused.
    const requeued = is_test && endpoint.deleted_at === null ? { state: "pending" as const, step, next_attempt_at: now, done_at: null } : retryLater(step, 0);
    return { delivery: requeued, failingSince: endpoint.failing_since, disable: null };
  }

  // A test is no delivery: neither its success nor its failure says whether events arrive.
  const failingSince = endpoint.failing_since ?? (is_test || endpoint.hasMoved ? null : now);
  const isGone = !endpoint.hasMoved && result.status === 410 && result.outcome === "http";
  const isFailingTooLong = !endpoint.hasMoved && failingSince !== null && !is_test && now - failingSince >= DISABLE_ENDPOINT_AFTER_MS;
  const disable = isActive && (isGone || isFailingTooLong) ? (isGone ? "gone" : "failing") : null;
  const delayMs = is_test || isGone ? null : nextRetryDelayMs(step, result.retryAfterMs, random);
  if (delayMs === null) return { delivery: finish("failed", step + 1), failingSince, disable };
  const next = retryLater(step + 1, delayMs);
  return { delivery: disable && next.state === "pending" ? { ...next, state: "held", next_attempt_at: null } : next, failingSince, disable };
}
