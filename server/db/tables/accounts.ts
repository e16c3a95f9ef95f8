/** Tables of organizations, accounts, what signs them in, and the audit log. */
import type { Generated } from "kysely";
import type { Role } from "../../../contract/records.ts";

export interface AccountTables {
  organisations: { id: Generated<number>; name: string; created_at: number };
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
    /** Name in the IANA database. */
    time_zone: Generated<string | null>;
    /** Language tag (BCP 47). */
    locale: Generated<string | null>;
    /** JSON: `WorkingHours` of the contract. */
    working_hours: Generated<string | null>;
    avatar_id: Generated<number | null>;
    /** 1: the account of a program, which never signs in; `agents` has what it may do. */
    is_agent: Generated<number>;
  };
  /** Pictures of accounts, each in three sizes, with the keys of their bytes. */
  avatars: {
    id: Generated<number>;
    account_id: number;
    small_key: string;
    medium_key: string;
    large_key: string;
    created_at: number;
    /** When another picture or none took its place; its row is deleted once its bytes are. */
    replaced_at: Generated<number | null>;
  };
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
  /** Progress of an organization's demo; the row stays after completion. */
  demos: {
    organisation_id: number;
    state: "running" | "failed" | "done" | "removing" | "removal_failed";
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
}
