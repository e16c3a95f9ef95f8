/** Limits that client and service share; `/api/v2/service` publishes them. */
export const LIMITS = {
  message_characters: 10_000,
  /** Distinct emoji on one message. */
  reactions_per_message: 20,
  /** People that one message may mention. */
  mentions_per_message: 50,
  /** Messages with a file that its page can lead to. */
  file_messages: 20,
  /** How long the person who deleted a message can restore it. */
  message_restore_seconds: 600,
  /** Per file, without deleted ones. */
  comments_per_file: 10_000,
  comments_page_max: 1_000,
  /** One week: the upper bound for positions while a file's length is unknown. */
  comment_position_ms: 604_800_000,
  /** How long the person who deleted a comment can restore it. */
  comment_restore_seconds: 600,
  search_characters: 200,
  /** Results of each kind. */
  search_results_default: 10,
  search_results_max: 50,
  /** Default and maximum page size of chat history and of every list without limits of its own. */
  history_default: 50,
  history_max: 200,
  unread_count_max: 100,
  json_bytes: 256 * 1024,
  password_min_characters: 12,
  file_statuses_per_team: 15,
  file_status_title_characters: 40,
  /** `color` is a zero-based index into a palette of this size. */
  file_status_colors: 12,
  bpm_min: 20,
  bpm_max: 400,
  task_title_characters: 300,
  /** Files and folders that one move, deletion or zip request may name; the contents of folders do not count. */
  files_per_request: 500,
  files_page_max: 500,
  /** `item_count` of a folder stops counting here. */
  item_count_max: 1_000,
  /** Files in one zip. */
  archive_files: 50_000,
  /** Files with metadata in one zip with metadata: the tags of each are planned before the first byte, so that the length is known. */
  archive_tagged_files: 1_000,
  /** Deleted ones do not count. */
  folders_per_project: 10_000,
  /** Maximum nesting of folders below a project's root. */
  folder_depth: 100,
  /** Nested folders that an upload's `path` may name. */
  path_folders: 40,
  tasks_per_file: 500,
  tasks_per_request: 100,
  task_templates_per_team: 50,
  playlist_name_characters: 200,
  /** The longest silence between two tracks. */
  playlist_gap_ms: 10_000,
  /** Files of one playlist, so that its list is one response. */
  playlist_items: 200,
  /** Deleted ones do not count. */
  playlists_per_project: 1_000,
  /** Deleted ones do not count. */
  metadata_templates_per_team: 20,
  metadata_fields_per_template: 40,
  metadata_fields_per_team: 200,
  metadata_options_per_field: 200,
  metadata_options_per_team: 1_000,
  /** Of templates and fields. */
  metadata_name_characters: 100,
  metadata_option_characters: 100,
  metadata_help_characters: 500,
  /** Of a value. */
  metadata_text_characters: 2_000,
  metadata_values_per_request: 200,
  /** Fields that a listing shows, and conditions that it filters by. */
  metadata_columns: 40,
  metadata_conditions: 10,
  metadata_csv_bytes: 5_000_000,
  metadata_csv_rows: 5_000,
  /** Of an account. */
  favorites: 500,
  /** Of an account; the oldest make way. */
  recent_items: 100,
  webhook_endpoints: 100,
  /** Projects to which one endpoint may be limited. */
  webhook_endpoint_projects: 100,
  /** Of an organization, without deleted ones. */
  agents: 50,
  /** Of an agent, until they are revoked. */
  agent_tokens: 20,
  agent_subscriptions: 20,
  /** Actions of a run that are undone at once. */
  undone_actions: 200,
  /** Projects that one event subscription may name. */
  agent_subscription_projects: 100,
  /** Projects that a new agent can join at once. */
  agent_projects: 100,
  /** Deleted nowhere, so that the limit is high. */
  projects_per_team: 10_000,
  groups_per_team: 1_000,
  /** Enabled accounts of an organization. */
  people: 10_000,
  /** Invites of an organization that are still open, and password reset links. */
  open_invites: 300,
  open_password_resets: 1_000,
  /** Of an account, until they are revoked. */
  api_tokens: 500,
  /** Apps that an account may have connected at a time. */
  oauth_grants: 100,
  oauth_redirect_uris: 10,
  /** Of a picture that is uploaded for an account. */
  avatar_bytes: 5_000_000,
  avatar_pixels: 40_000_000,
  /** Of an account: signing in ends the session that was used longest ago. */
  sessions: 100,
  /** The newest attempts of a delivery, which stay. */
  attempts_per_delivery: 50,
  /** Of an account; older ones go. */
  notifications_per_account: 1_000,
  /** To an account, and to an address of an organization's accounts. */
  confirmation_emails_per_day: 3,
  confirmation_emails_of_organisation_per_day: 300,
  tasks_per_agent: 100,
  agent_task_name_characters: 200,
  /** Of a question, or of what else a person asks a model for. */
  agent_prompt_characters: 2_000,
  summary_hours: 720,
  rule_steps: 5,
  rule_text_characters: 4_000,
  /** Further events start no run; a person who starts one gets a 409. */
  runs_per_task_and_hour: 60,
  cron_characters: 100,
  time_zone_characters: 60,
  name_pattern_characters: 200,
  /** Sample rates, bit depths and so on that one delivery rule may list. */
  delivery_rule_values: 12,
  live_topics_per_socket: 500,
  /** Events that a client may catch up on before it receives a reset. */
  live_catch_up_events: 1_000,
} as const;

// These are not in `LIMITS`, because no client needs them to check its input. Texts in `src/lib/texts`, the README and `docs/architecture.md` repeat them.
/** How far back Recover reaches. */
export const RECOVERY_DAYS = 14;
/** An endpoint is disabled after failing without a success for this long. */
export const DISABLE_ENDPOINT_AFTER_DAYS = 5;
/** After so many days notifications are deleted. */
export const NOTIFICATION_RETENTION_DAYS = 90;
/** How long runs of agent tasks are kept. */
export const AGENT_RUN_RETENTION_DAYS = 90;
/** How long the log of what agents did is kept. */
export const AGENT_ACTION_RETENTION_DAYS = 400;
/** How long entries of the audit log are kept. */
export const AUDIT_RETENTION_DAYS = 400;
