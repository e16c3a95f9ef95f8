/** What follows from a try: for its delivery, and for the endpoint. */
import type { DisabledReason } from "../../contract/webhook-records.ts";
import type { Row } from "../db/schema.ts";
import { GIVE_UP_ENDPOINT_MS, pauseAfter } from "./schedule.ts";
import type { Tried } from "./send.ts";

export type DeliveryChange = Pick<Row<"deliveries">, "state" | "step" | "next_attempt_at" | "done_at">;
export type EndpointState = Pick<Row<"webhook_endpoints">, "enabled" | "failing_since" | "deleted_at"> & {
  /** It has another address than the one that was tried, of which the answer says nothing. */
  moved?: boolean;
};

export interface Verdict {
  delivery: DeliveryChange;
  /** First failure since the last success; as it was where nothing changes. */
  failingSince: number | null;
  /** The endpoint is to be disabled. */
  disable: DisabledReason | null;
}

/** `random`: 0 to 1. */
export function verdictOf(delivery: Pick<Row<"deliveries">, "step" | "is_test">, endpoint: EndpointState, tried: Tried, now: number, random: number): Verdict {
  const { step, is_test } = delivery;
  const isOn = endpoint.enabled === 1 && endpoint.deleted_at === null;
  const ended = (state: "delivered" | "failed", steps: number): DeliveryChange => ({ state, step: steps, next_attempt_at: null, done_at: now });
  const waits = (steps: number, pause: number): DeliveryChange =>
    isOn
      ? { state: "pending", step: steps, next_attempt_at: now + pause, done_at: null }
      : endpoint.deleted_at === null
        ? { state: "held", step: steps, next_attempt_at: null, done_at: null }
        : ended("failed", steps);

  if (tried.outcome === "ok") return { delivery: ended("delivered", step + 1), failingSince: endpoint.moved ? endpoint.failing_since : null, disable: null };
  if (tried.outcome === "interrupted") {
    // Nobody refused anything: it counts as if it had not been. A test is repeated even where the endpoint is paused.
    const again = is_test && endpoint.deleted_at === null ? { state: "pending" as const, step, next_attempt_at: now, done_at: null } : waits(step, 0);
    return { delivery: again, failingSince: endpoint.failing_since, disable: null };
  }

  // A test is not tried again, so one that fails says nothing about days.
  const failingSince = endpoint.failing_since ?? (is_test || endpoint.moved ? null : now);
  const gone = !endpoint.moved && tried.status === 410 && tried.outcome === "http";
  const failing = !endpoint.moved && failingSince !== null && !is_test && now - failingSince >= GIVE_UP_ENDPOINT_MS;
  const disable = isOn && (gone || failing) ? (gone ? "gone" : "failing") : null;
  const pause = is_test || gone ? null : pauseAfter(step + 1, tried.wish, random);
  if (pause === null) return { delivery: ended("failed", step + 1), failingSince, disable };
  const next = waits(step + 1, pause);
  return { delivery: disable && next.state === "pending" ? { ...next, state: "held", next_attempt_at: null } : next, failingSince, disable };
}
