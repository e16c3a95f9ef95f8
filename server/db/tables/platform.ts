/** Tables of jobs, live events, webhooks and migrations. */
import type { Generated } from "kysely";
import type { AttemptOutcome, DeliveryState, DisabledReason } from "../../../contract/webhook-records.ts";
import type { Flag } from "./flag.ts";

export type JobState = "waiting" | "running" | "done" | "failed";

export interface PlatformTables {
  jobs: {
    id: Generated<number>;
    kind: string;
    /** The version that the job processes. */
    subject_id: number;
    /** Who the job is for: jobs take turns by organization and account. */
    organisation_id: Generated<number>;
    account_id: Generated<number>;
    state: Generated<JobState>;
    attempts: Generated<number>;
    run_at: number;
    lease_until: number | null;
    lease_token: string | null;
    failure: string | null;
    created_at: number;
    done_at: number | null;
  };
  /** When an account's job was last claimed, as a counter of claims. */
  job_turns: { kind: string; organisation_id: number; account_id: number; turn: number };
  /** When one of the processes last started a scheduled job. */
  scheduled_runs: { name: string; started_at: number };
  /** One row per topic: the counter that orders its events, and the lock that serializes its writers. */
  topics: { topic: string; seq: number };
  /** `message_id`, `quoted_id`, `comment_id`: the messages and the comment whose text `data` contains, for redaction; null after it. */
  events: {
    topic: string;
    seq: number;
    type: string;
    data: string;
    created_at: number;
    message_id: number | null;
    quoted_id: number | null;
    comment_id: Generated<number | null>;
    /** Whose request or run has caused the event; null: the service itself, or an event of an earlier version. */
    account_id: Generated<number | null>;
  };
  /** First results of writes with an Idempotency-Key, stored for one day. */
  idempotency: { account_id: number; operation: string; key: string; request_hash: string; result: string; created_at: number };
  /** `id` is the event's UUID. `data` is the JSON text of the request body's `data`, stored so that every attempt sends the same bytes. */
  outbound_events: {
    id: string;
    organisation_id: number;
    type: string;
    data: string;
    created_at: number;
    /** Null for tests. */
    project_id: Generated<number | null>;
    /** Whose text an event for an agent contains, as in `events`. */
    message_id: Generated<number | null>;
    quoted_id: Generated<number | null>;
    comment_id: Generated<number | null>;
  };
  webhook_endpoints: {
    id: Generated<number>;
    organisation_id: number;
    url: string;
    /** JSON list. */
    event_types: string;
    description: string;
    enabled: Flag;
    /** Encrypted. */
    secret: string;
    /** JSON list of encrypted secrets that sign too, newest first, each until its own time: `{ secret, until }`. */
    previous_secrets: Generated<string>;
    /** First failed attempt since the last successful delivery; null while deliveries succeed. */
    failing_since: number | null;
    /** The receiver asked for no requests before this time (429, 503); only manual deliveries ignore it. */
    not_before: Generated<number | null>;
    /** Why the endpoint is disabled. */
    disabled_reason: DisabledReason | null;
    disabled_at: number | null;
    /** Who paused the endpoint; null if the service disabled it. */
    disabled_by: number | null;
    /**
     * The API token on which the endpoint depends: the one that created or resumed it, or last changed its URL or event types. null: the endpoint was
     * set up in a browser.
     */
    token_id: number | null;
    /** The agent whose event subscription this is; null: an endpoint of the organization. */
    agent_id: Generated<number | null>;
    /** JSON list of the projects whose events are sent, also of deleted ones; null: every project, of a subscription those of its agent. */
    project_ids: Generated<string | null>;
    created_by: number;
    created_at: number;
    updated_at: number;
    deleted_at: number | null;
  };
  /** One event for one endpoint. */
  deliveries: {
    id: Generated<number>;
    endpoint_id: number;
    event_id: string;
    event_type: string;
    is_test: Flag;
    /** The next attempt is manual, and a person waits for it: a test or Redeliver. Cleared when its result is recorded, except for tests. */
    by_hand: Generated<Flag>;
    state: DeliveryState;
    /**
     * Position in the retry schedule (`RETRY_DELAYS_MS` in `server/delivery/schedule.ts`): attempts made in the current round, without interrupted
     * ones. A round begins with the event, Redeliver of an ended delivery, or Recover. A release that changes the schedule leaves due times that are already set as they are.
     */
    step: Generated<number>;
    /** Attempts of all rounds, interrupted ones too, counted when they are claimed; `attempt_count` on the wire. */
    attempts: Generated<number>;
    /** Set exactly while the state is `pending`. */
    next_attempt_at: number | null;
    /** Set during an attempt: only the process that holds the token records the result and changes the state. */
    lease_until: number | null;
    lease_token: string | null;
    /** When the event was stored, which Redeliver and Recover do not change. */
    created_at: number;
    /** When the delivery succeeded or finally failed. */
    done_at: number | null;
  };
  delivery_attempts: {
    id: Generated<number>;
    delivery_id: number;
    number: number;
    started_at: number;
    /** Milliseconds. */
    duration: number;
    outcome: AttemptOutcome;
    /** HTTP status; null if no response arrived. */
    status: number | null;
    /** JSON objects of header names and values; `response_headers` is null if no response arrived. */
    request_headers: string;
    response_headers: string | null;
    /** First 2 KiB, as text. */
    response_body: string | null;
  };
  migrations: { name: string; applied_at: number };
}
