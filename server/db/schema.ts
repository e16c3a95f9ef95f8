/** Table types for both engines: integer keys, times as epoch milliseconds, booleans as 0/1, JSON as text. */
import type { Generated, Insertable, Kysely, Selectable } from "kysely";
import type { EntryKind } from "../../contract/file-records.ts";
import type { Role } from "../../contract/records.ts";
import type { AttemptOutcome, DeliveryState, DisabledReason } from "../../contract/webhook-records.ts";

type Flag = 0 | 1;
export type FileKind = "audio" | "video" | "image" | "document";
export type TranscodingStatus = "waiting" | "transcoding" | "transcoded" | "failed";
export type JobState = "waiting" | "running" | "done" | "failed";

export interface Schema {
  organisations: { id: Generated<number>; name: string; created_at: number };
  /** New uploads start with `default_status_id`. */
  teams: {
    id: Generated<number>;
    organisation_id: number;
    name: string;
    created_at: number;
    default_status_id: Generated<number | null>;
    /** 1: a new version resets a file's status. */ new_version_resets_status: Generated<0 | 1>;
  };
  team_members: { team_id: number; account_id: number; added_at: number };
  file_statuses: {
    id: Generated<number>;
    team_id: number;
    title: string;
    /** Normalized and lower-cased, for uniqueness. */
    title_key: Generated<string>;
    color: number;
    position: number;
    /** 1: files with this status are finished, and guests add no versions to them. */
    is_final: Generated<Flag>;
    /** Deleted statuses stay for the history of files that had them. */
    deleted_at: Generated<number | null>;
    /** The status that files got when this one was deleted. */
    replaced_by: Generated<number | null>;
  };
  accounts: {
    id: Generated<number>;
    organisation_id: number;
    role: Role;
    username: string;
    /** Normalized and lower-cased, for uniqueness and lookup. */
    username_key: string;
    email: string;
    email_key: string;
    user_info: string;
    /** argon2id, PHC string; null: cannot sign in with a password. */
    password_hash: string | null;
    disabled_at: number | null;
    last_seen_at: number | null;
    created_at: number;
    /** Part of every signed URL; a password reset increases it, which ends the earlier URLs. */
    signed_url_generation: Generated<number>;
  };
  project_groups: {
    id: Generated<number>;
    team_id: number;
    name: string;
    /** Unique within the team. null: the group was created by a process of a version that had no keys, so its name may exist twice. */
    name_key: string | null;
    description: string;
    created_at: number;
  };
  projects: {
    id: Generated<number>;
    team_id: number;
    group_id: number | null;
    name: string;
    description: string;
    root_folder_id: number | null;
    /** Newest message, stored here so that the project list does not read the chat. */
    last_message_id: number | null;
    created_at: number;
    created_by: number;
  };
  project_members: { project_id: number; account_id: number; added_at: number };
  messages: {
    id: Generated<number>;
    project_id: number;
    account_id: number;
    body: string;
    type: string;
    is_audio_message: Flag;
    parent_id: number | null;
    parent_account_id: number | null;
    client_id: string | null;
    /** SHA-256 of the request, to detect a reused client_id with other content. */
    request_hash: string | null;
    revision: number;
    created_at: number;
    edited_at: number | null;
    deleted_at: number | null;
    deleted_by: number | null;
    /** The comment that the message shows. */
    comment_id: Generated<number | null>;
  };
  /** Ids follow commit order within a project, as do those of messages. `version` is the version's number. */
  comments: {
    id: Generated<number>;
    project_id: number;
    file_id: number;
    version: number;
    position_ms: number | null;
    end_ms: number | null;
    parent_id: number | null;
    account_id: number;
    body: string;
    client_id: string | null;
    request_hash: string | null;
    revision: Generated<number>;
    created_at: number;
    edited_at: Generated<number | null>;
    resolved_at: Generated<number | null>;
    resolved_by: Generated<number | null>;
    deleted_at: Generated<number | null>;
    deleted_by: Generated<number | null>;
  };
  comment_reads: { account_id: number; file_id: number; last_read_comment_id: number };
  reactions: { message_id: number; emoji: string; account_id: number; created_at: number };
  message_mentions: { account_id: number; project_id: number; message_id: number };
  blobs: { key: string; organisation_id: number; size: number; sha256: string; created_at: number; deleted_at: number | null };
  files: {
    id: Generated<number>;
    project_id: number;
    /** null: the project's root folder. */
    parent_id: number | null;
    is_folder: Flag;
    name: string;
    /** The name, Unicode-normalized and lower-cased; unique among the folder's entries that are not deleted. */
    name_key: string;
    removal_protection: Generated<Flag>;
    task_load_protection: Generated<Flag>;
    status_id: number | null;
    /** The current version; null for folders. */
    version_id: number | null;
    revision: Generated<number>;
    created_by: number;
    created_at: number;
    deleted_at: number | null;
    deleted_by: number | null;
    /** The deleted entry whose deletion included this one; the entry's own id if it was deleted directly. Set while deleted. */
    deleted_with: Generated<number | null>;
    /** Derived from the name by `contract/file-order.ts`: the text that searches match, and the key of the natural order. */
    folded_name: Generated<string>;
    order_key: Generated<string>;
    /** Copied from the current version for filtering and sorting; `modules/files/entry-rows.ts` keeps them in sync. Unknown values are 0, null or "[]". */
    kind: Generated<EntryKind>;
    size: Generated<number>;
    duration: Generated<number>;
    bpm: Generated<number>;
    music_key: Generated<string | null>;
    /** The most likely key if the analysis is not sure of it and nobody has set one. Filters and facets ignore it. */
    unsure_key: Generated<string | null>;
    /** JSON list, most certain first. */
    tags: Generated<string>;
    changed_at: Generated<number>;
    uploader_id: Generated<number>;
    /** The status's position; -1 without a status. Every change of positions must update it. */
    status_rank: Generated<number>;
    /** Set by hand; null: the result of the analysis applies. */
    corrected_bpm: Generated<number | null>;
    corrected_key: Generated<string | null>;
  };
  /** The tags of `files` as rows, for filtering and counting. */
  file_tags: { project_id: number; tag: string; file_id: number };
  file_versions: {
    id: Generated<number>;
    file_id: number;
    number: number;
    blob_key: string;
    size: number;
    kind: Generated<FileKind>;
    media_type: Generated<string>;
    transcoding_status: Generated<TranscodingStatus>;
    /** Why processing failed, as readable text. */
    failure: string | null;
    /** JSON list of steps that a later run of the job skips. */
    steps_done: Generated<string>;
    /** In seconds, measured by decoding. */
    duration: number | null;
    /** JSON, null until its step has run: `music` and `labels` write `tags`, `peaks` writes `wave` and `short_wave`, the others are named after their step. */
    probe: string | null;
    loudness: string | null;
    tags: string | null;
    wave: string | null;
    short_wave: string | null;
    peaks: string | null;
    compressed_key: string | null;
    /** Media type of the streaming copy. */
    compressed_type: string | null;
    still_key: string | null;
    thumbnail_key: string | null;
    created_by: number;
    created_at: number;
  };
  status_changes: {
    id: Generated<number>;
    file_id: number;
    old_status_id: number | null;
    new_status_id: number;
    note: string;
    account_id: number;
    created_at: number;
  };
  /** Pins each attachment to the version that was sent. */
  attachments: { message_id: number; position: number; file_id: number; version_id: number };
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
  /** The sizes of an organization's blobs that are not deleted, in all; `modules/files/blob-rows.ts` keeps it. */
  stored_bytes: { organisation_id: number; bytes: number };
  /** Quota that uploads hold until their bytes are recorded. `id`: of a resumable upload, or random. */
  upload_reservations: { id: string; organisation_id: number; bytes: number; expires_at: number };
  uploads: { id: string; account_id: number; destination: string; size: number; file_id: number | null; version: number | null; created_at: number };
  /** `id` is the event's UUID. `data` is the JSON text of the request body's `data`, stored so that every attempt sends the same bytes. */
  outbound_events: { id: string; organisation_id: number; type: string; data: string; created_at: number };
  tasks: {
    id: Generated<number>;
    file_id: number;
    title: string;
    assignee_id: number | null;
    /** The day, as its midnight in UTC. */
    due_at: number | null;
    /** Starts at 1 within the file. */
    position: number;
    revision: Generated<number>;
    created_by: number;
    created_at: number;
    closed_at: number | null;
    closed_by: number | null;
  };
  /** `tasks` is a JSON list of `{title, due_days}`. */
  task_templates: { id: Generated<number>; team_id: number; name: string; name_key: string; tasks: string; created_by: number | null; created_at: number };
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
     * ones. A round begins with the event, Redeliver or Recover. A release that changes the schedule leaves due times that are already set as they are.
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
  /** `comments_since`: the project's newest comment when the account joined; comments up to it count as read. */
  read_markers: { project_id: number; account_id: number; last_read_message_id: number; moved_at: number; comments_since: Generated<number> };
  sessions: {
    id: Generated<number>;
    account_id: number;
    token_hash: string;
    user_agent: string;
    address: string;
    created_at: number;
    last_seen_at: number;
  };
  /** Also the grants of connected apps, which have a client and no secret of their own: their access and refresh tokens are in `oauth_tokens`. */
  api_tokens: {
    id: Generated<number>;
    account_id: number;
    name: string;
    public_id: string;
    token_hash: string;
    /** JSON array of scopes. */
    scopes: string;
    created_at: number;
    expires_at: number | null;
    last_used_at: number | null;
    revoked_at: number | null;
    /** The app that the grant is for; null: an API token. */
    client_id: Generated<number | null>;
    /** The API token that confirmed the grant, which ends with it; null: a browser session did. */
    parent_token_id: Generated<number | null>;
  };
  oauth_clients: {
    id: Generated<number>;
    public_id: string;
    name: string;
    /** JSON array. */
    redirect_uris: string;
    /** JSON array. */
    grant_types: string;
    created_at: number;
  };
  oauth_codes: {
    id: Generated<number>;
    code_hash: string;
    grant_id: number;
    redirect_uri: string;
    code_challenge: string;
    /** As in the authorization request. */
    resource: string | null;
    created_at: number;
    expires_at: number;
    used_at: Generated<number | null>;
  };
  oauth_tokens: {
    id: Generated<number>;
    token_hash: string;
    grant_id: number;
    kind: "access" | "refresh";
    /** JSON array; an access token may have fewer than its grant. */
    scopes: string;
    created_at: number;
    expires_at: number;
    /** When the refresh token was exchanged for the next one. */
    used_at: Generated<number | null>;
  };
  invites: {
    id: Generated<number>;
    organisation_id: number;
    team_id: number;
    role: Role;
    /** JSON array of project ids. */
    project_ids: string;
    email: string | null;
    token_hash: string;
    created_by: number;
    /** The session or API token that created the invite, even after it has ended; both null: unknown. */
    created_session_id: Generated<number | null>;
    created_token_id: Generated<number | null>;
    created_at: number;
    expires_at: number;
    used_at: number | null;
    revoked_at: number | null;
  };
  password_resets: {
    id: Generated<number>;
    account_id: number;
    token_hash: string;
    /** null: the command line. */
    created_by: number | null;
    created_session_id: number | null;
    created_at: number;
    expires_at: number;
    used_at: number | null;
    revoked_at: Generated<number | null>;
  };
  live_tickets: {
    token_hash: string;
    account_id: number;
    session_id: number | null;
    token_id: number | null;
    /** The OAuth access token, whose grant is `token_id`. */
    access_token_id: Generated<number | null>;
    expires_at: number;
  };
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
  };
  /** First results of writes with an Idempotency-Key, stored for one day. */
  idempotency: { account_id: number; operation: string; key: string; request_hash: string; result: string; created_at: number };
  /** Progress of an organization's demo; the row stays after completion. */
  demos: {
    organisation_id: number;
    state: "running" | "failed" | "done";
    /** When the first run began, which is the present time in the demo's story; a run that resumes keeps it. */
    began_at: number;
    step: string;
    /** Overall progress in thousandths. */
    progress: number;
    failure: string | null;
    /** JSON object: ids of the records created so far, by their names in the demo's story. */
    made: string;
    project_id: number | null;
    /** Only the process that holds the token continues the run. */
    lease_token: string | null;
    lease_until: number | null;
  };
  /** Failed sign-ins and other guesses, by bucket of name and address. */
  attempts: { id: Generated<number>; bucket: string; created_at: number };
  audit: {
    id: Generated<number>;
    organisation_id: number;
    account_id: number | null;
    action: string;
    target: string;
    /** Null for the command line, and in entries from before the column existed. */
    address: string | null;
    /** The API token that authorized the action. */
    token_id: number | null;
    detail: string;
    created_at: number;
  };
  migrations: { name: string; applied_at: number };
}

export type Row<T extends keyof Schema> = Selectable<Schema[T]>;
export type NewRow<T extends keyof Schema> = Insertable<Schema[T]>;

/** Database handle for reads. Inside a transaction pass the `Tx`. */
export type Db = Kysely<Schema>;
declare const insideTransaction: unique symbol;
/** Handle that exists only inside `Database.write`; functions that change rows require it. */
export type Tx = Db & { readonly [insideTransaction]: true };
