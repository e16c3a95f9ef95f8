/** Catalog of webhook events (service document 6): type, when the event is sent, and an example of its `data`. */
export const WEBHOOK_EVENT_TYPES = ["file.uploaded", "file.renamed", "file.status_changed", "task.closed"] as const;
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
  "task.closed": {
    description: "A task was closed.",
    source: "extension",
    example: {
      object: "task",
      id: 8_112,
      title: "Bounce the stems",
      file_id: file.id,
      assignee_account_id: 12,
      due_date: "2026-03-03T00:00:00.000Z",
      closed: true,
      closed_at: "2026-03-02T14:35:40.500Z",
      position: 1,
      created_by_account_id: 7,
      closed_by_account_id: 12,
      created_at: "2026-02-27T09:12:20.114Z",
      revision: 3,
      project_id: 12,
      file_name: file.name,
      file_is_folder: false,
      changed_by_account_id: 12,
    },
  },
};
