/** Tables as both engines hold them: integer keys, times as epoch milliseconds, booleans as 0/1, JSON as text. */
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
  /** `default_status_id`: what new uploads begin with. */
  teams: { id: Generated<number>; organisation_id: number; name: string; created_at: number; default_status_id: Generated<number | null> };
  team_members: { team_id: number; account_id: number; added_at: number };
  file_statuses: {
    id: Generated<number>;
    team_id: number;
    title: string;
    /** Without case, for uniqueness. */
    title_key: Generated<string>;
    color: number;
    position: number;
    /** Kept for the history of files that had it. */
    deleted_at: Generated<number | null>;
    /** What files got instead when it was deleted. */
    replaced_by: Generated<number | null>;
  };
  accounts: {
    id: Generated<number>;
    organisation_id: number;
    role: Role;
    username: string;
    /** Lower-cased, for uniqueness and look-up. */
    username_key: string;
    email: string;
    email_key: string;
    user_info: string;
    /** argon2id, PHC string; null: cannot sign in with a password. */
    password_hash: string | null;
    disabled_at: number | null;
    last_seen_at: number | null;
    created_at: number;
  };
  project_groups: { id: Generated<number>; team_id: number; name: string; description: string; created_at: number };
  projects: {
    id: Generated<number>;
    team_id: number;
    group_id: number | null;
    name: string;
    description: string;
    root_folder_id: number | null;
    /** Newest message, so that the project list needs no look into the chat. */
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
    /** SHA-256 of what was asked for, so that a re-used client_id with other content is told. */
    request_hash: string | null;
    revision: number;
    created_at: number;
    edited_at: number | null;
    deleted_at: number | null;
    deleted_by: number | null;
    /** The comment that it shows. */
    comment_id: Generated<number | null>;
  };
  /** Ids follow commit order within a project, as those of messages do. `version` is the version's number. */
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
    /** Unicode-normalised and lower-cased: names that differ only there are one name. */
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
    /** The entry that was deleted and took this one along; itself where it was named. Stands as long as it is deleted. */
    deleted_with: Generated<number | null>;
    /** Both made of the name by `contract/file-order.ts`: what a search looks in, and the natural order of names. */
    folded_name: Generated<string>;
    order_key: Generated<string>;
    /** Of the current version, repeated here to filter and sort by: `domain/files/facts.ts` keeps them. Nothing known: 0, null or "[]". */
    kind: Generated<EntryKind>;
    size: Generated<number>;
    duration: Generated<number>;
    bpm: Generated<number>;
    music_key: Generated<string | null>;
    /** JSON list, the surest first. */
    tags: Generated<string>;
    changed_at: Generated<number>;
    uploader_id: Generated<number>;
    /** The status's position; -1: none. Whoever changes positions changes it here too. */
    status_rank: Generated<number>;
    /** Put right by hand; null: as the analysis found it. */
    corrected_bpm: Generated<number | null>;
    corrected_key: Generated<string | null>;
  };
  /** The same tags to filter and count by. */
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
    /** Why processing failed, for a person. */
    failure: string | null;
    /** JSON list: what a later run of the job need not do again. */
    steps_done: Generated<string>;
    /** Seconds, from decoding. */
    duration: number | null;
    /** JSON each, written by the step of that name; null until it has run. */
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
  /** Pins the version that was sent. */
  attachments: { message_id: number; position: number; file_id: number; version_id: number };
  jobs: {
    id: Generated<number>;
    kind: string;
    /** What the job is about: a version for `media`. */
    subject_id: number;
    state: Generated<JobState>;
    attempts: Generated<number>;
    run_at: number;
    lease_until: number | null;
    lease_token: string | null;
    failure: string | null;
    created_at: number;
    done_at: number | null;
  };
  uploads: { id: string; account_id: number; destination: string; size: number; file_id: number | null; version: number | null; created_at: number };
  /** `id` is the event's UUID; `data` the body's `data`, as text that is never made anew. */
  outbound_events: { id: string; organisation_id: number; type: string; data: string; created_at: number };
  tasks: {
    id: Generated<number>;
    file_id: number;
    title: string;
    assignee_id: number | null;
    /** The day as its midnight in UTC. */
    due_at: number | null;
    /** From 1 within the file. */
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
    /** JSON list of encrypted secrets that sign too, each until its own time, the newest first: `{ secret, until }`. */
    previous_secrets: Generated<string>;
    /** First failed attempt since the last delivery; null while all is well. */
    failing_since: number | null;
    /** The receiver asked us to wait until then (429, 503); only what people ask for passes that. */
    not_before: Generated<number | null>;
    /** Why it is not enabled. */
    disabled_reason: DisabledReason | null;
    disabled_at: number | null;
    /** Who paused it; null where we disabled it. */
    disabled_by: number | null;
    created_by: number;
    created_at: number;
    updated_at: number;
    deleted_at: number | null;
  };
  /** One event to one endpoint. */
  deliveries: {
    id: Generated<number>;
    endpoint_id: number;
    event_id: string;
    event_type: string;
    is_test: Flag;
    /** A person waits for its next try: a test, or one that is sent again by hand. */
    by_hand: Generated<Flag>;
    state: DeliveryState;
    /** Attempts made since the delivery was last asked for: where it stands in the schedule. */
    step: Generated<number>;
    /** Attempts made in all. */
    attempts: Generated<number>;
    /** Set exactly while it is `pending`. */
    next_attempt_at: number | null;
    /** Set while a try is under way: whoever has the token records how it ended, nobody else touches the state. */
    lease_until: number | null;
    lease_token: string | null;
    created_at: number;
    /** When it was delivered or given up. */
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
    /** HTTP status; null where no answer came. */
    status: number | null;
    /** JSON objects of header names and values; null where no answer came. */
    request_headers: string;
    response_headers: string | null;
    /** First 2 KiB, as text. */
    response_body: string | null;
  };
  /** `comments_since`: the project's newest comment when the person came; what was said up to there is history to them. */
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
    created_at: number;
    expires_at: number;
    used_at: number | null;
    revoked_at: number | null;
  };
  password_resets: { id: Generated<number>; account_id: number; token_hash: string; created_at: number; expires_at: number; used_at: number | null };
  live_tickets: { token_hash: string; account_id: number; session_id: number | null; token_id: number | null; expires_at: number };
  /** One row a topic: the counter that orders its events, and the lock that orders its writers. */
  topics: { topic: string; seq: number };
  /** `message_id`, `quoted_id`, `comment_id`: whose text `data` holds, while it may have to go from there. */
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
  /** First results of writes with an Idempotency-Key, kept for a day. */
  idempotency: { account_id: number; operation: string; key: string; request_hash: string; result: string; created_at: number };
  /** How far the demo of an organisation is; kept when it is done. */
  demos: {
    organisation_id: number;
    state: "running" | "failed" | "done";
    /** The present of its story: a later run goes on with the same. */
    began_at: number;
    step: string;
    /** Thousandths of all of it. */
    progress: number;
    failure: string | null;
    /** JSON object: ids by the names that the story has for things. */
    made: string;
    project_id: number | null;
    /** Whoever has the token makes it. */
    lease_token: string | null;
    lease_until: number | null;
  };
  /** Failed sign-ins and other guesses, per name and address. */
  attempts: { id: Generated<number>; bucket: string; created_at: number };
  audit: {
    id: Generated<number>;
    organisation_id: number;
    account_id: number | null;
    action: string;
    target: string;
    detail: string;
    created_at: number;
  };
  migrations: { name: string; applied_at: number };
}

export type Row<T extends keyof Schema> = Selectable<Schema[T]>;
export type NewRow<T extends keyof Schema> = Insertable<Schema[T]>;

/** Reads. Inside a transaction pass the `Tx`. */
export type Db = Kysely<Schema>;
declare const insideTransaction: unique symbol;
/** A handle that exists only inside `Database.write`: functions that change rows ask for it. */
export type Tx = Db & { readonly [insideTransaction]: true };
