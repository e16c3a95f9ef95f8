/** Catalog of webhook events (service document 6): type, when the event is sent, and an example of its `data`. */
export const WEBHOOK_EVENT_TYPES = [
  "file.uploaded",
  "file.renamed",
  "file.status_changed",
  "comment.created",
  "message.created",
  "task.created",
  "task.closed",
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

interface CatalogEntry {
  /** One line on when the event is sent. */
  description: string;
  source: "documented" | "extension";
  /** The `data` of an example body. */
  example: Record<string, unknown>;
}

const file = {
  object: "file",
  id: 655_507,
  name: "nightdrive_mix_v5.wav",
  is_folder: false,
  parent_id: 655_001,
  size: 42_336_044,
  url: "https://talkback.example/files/655507/content",
  removal_protection: false,
  task_load_protection: false,
  team_id: 3,
};

const createdTask = {
  object: "task",
  id: 8_112,
  title: "Bounce the stems",
  file_id: file.id,
  assignee_account_id: 12,
  due_date: "2026-03-03T00:00:00.000Z",
  closed: false,
  closed_at: null as string | null,
  position: 1,
  created_by_account_id: 7,
  closed_by_account_id: null as number | null,
  created_at: "2026-02-27T09:12:20.114Z",
  revision: 1,
  project_id: 12,
  file_name: file.name,
  file_is_folder: false,
};

export const WEBHOOK_EVENTS: Record<WebhookEventType, CatalogEntry> = {
  "file.uploaded": {
    description: "A file, or a new version of one, was uploaded.",
    source: "extension",
    example: { ...file, upload_time: "2026-03-02T14:30:51.204Z", changed_by_account_id: 12 },
  },
  "file.renamed": {
    description: "A file or folder was renamed.",
    source: "extension",
    example: { ...file, old_name: "nightdrive_mix.wav", new_name: file.name, renamed_time: "2026-03-02T14:31:02.880Z", changed_by_account_id: 12 },
  },
  "file.status_changed": {
    description: "A file's status changed.",
    source: "documented",
    example: {
      ...file,
      old_status: { id: 2, title: "In review", color: 4, position: 1 },
      new_status: { id: 4, title: "Approved", color: 2, position: 3 },
      change_status_time: "2026-03-02T14:31:08.017Z",
      changed_by_account_id: 12,
    },
  },
  "comment.created": {
    description: "Someone commented on a file.",
    source: "extension",
    example: {
      object: "comment",
      id: 3_071,
      file_id: file.id,
      project_id: 12,
      version: 5,
      position_ms: 83_000,
      end_ms: null,
      parent_comment_id: null,
      account_id: 12,
      account: { id: 12, username: "Ana Kovač" },
      body: "Bass is hot here, everything else sits.",
      mentions: [],
      attachments: [],
      created_at: "2026-03-02T14:32:19.660Z",
      edited_at: null,
      resolved_at: null,
      resolved_by_account_id: null,
      deleted: false,
      revision: 1,
      client_id: null,
      message_id: null,
      file_name: file.name,
      changed_by_account_id: 12,
    },
  },
  "message.created": {
    description: "Someone posted a message.",
    source: "extension",
    example: {
      id: 41_220,
      chat_id: 12,
      account_id: 12,
      body: "The mix is approved. Thank you all!",
      datetime: "2026-03-02T14:33:05.120Z",
      edited: false,
      is_audio_message: false,
      type: "message",
      parent_message_id: null,
      parent_chat_id: null,
      parent_account_id: null,
      attachments: [],
      client_id: null,
      revision: 1,
      deleted: false,
      edited_at: null,
      reactions: [],
      mentions: [],
      parent: null,
      project_id: 12,
      project_name: "Nightdrive EP",
      changed_by_account_id: 12,
    },
  },
  "task.created": {
    description: "A task was created.",
    source: "extension",
    example: { ...createdTask, changed_by_account_id: 7 },
  },
  "task.closed": {
    description: "A task was closed.",
    source: "extension",
    example: { ...createdTask, closed: true, closed_at: "2026-03-02T14:35:40.500Z", closed_by_account_id: 12, revision: 3, changed_by_account_id: 12 },
  },
};
