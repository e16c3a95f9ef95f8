/** Tables of notifications, their settings, and the files that people watch. */
import type { Generated } from "kysely";
import type { NotificationKind } from "../../../contract/notification-records.ts";
import type { Flag } from "./flag.ts";

export interface NotificationTables {
  /** Refers to its subject by id and has no text of it, so that what is deleted or no longer visible is not shown. */
  notifications: {
    id: Generated<number>;
    account_id: number;
    kind: NotificationKind;
    /** One notification of an account for each key: `message:7`, whether it mentions the person or replies to them. */
    dedupe_key: string;
    project_id: number | null;
    /** Who caused it; null: the service. */
    actor_id: number | null;
    message_id: number | null;
    comment_id: number | null;
    file_id: number | null;
    task_id: number | null;
    /** The status that the file got. */
    status_id: number | null;
    endpoint_id: number | null;
    /** 0: only for push messages and emails. */
    in_app: Flag;
    created_at: number;
    read_at: Generated<number | null>;
  };
  /** `kinds` is JSON: the channels that differ from the defaults, by kind. Times of day are minutes in the account's time zone. */
  notification_settings: {
    account_id: number;
    kinds: Generated<string>;
    do_not_disturb_start: Generated<number | null>;
    do_not_disturb_end: Generated<number | null>;
    paused_until: Generated<number | null>;
  };
  /** `kinds`: the channels that differ from the account's settings. */
  project_notification_settings: { account_id: number; project_id: number; muted: Generated<Flag>; kinds: Generated<string> };
  /** `watching` 0: the person has stopped watching, which uploading and commenting do not change. */
  file_watchers: { file_id: number; account_id: number; watching: Flag; created_at: number };
}
