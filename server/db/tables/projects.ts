/** Tables of teams, projects, their people and tasks. */
import type { Generated } from "kysely";
import type { Flag } from "./flag.ts";

export interface ProjectTables {
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
  project_groups: {
    id: Generated<number>;
    team_id: number;
    name: string;
    /** Unique within the team. null: the group was created by a process of a version that had no keys, so its name may exist twice. */
    name_key: string | null;
    description: string;
    created_at: number;
    /** Index into the palette. */
    color: Generated<number | null>;
    /** null: the group was created before its creator was stored. */
    created_by: Generated<number | null>;
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
    /** Index into the palette; null: the interface chooses a color. */
    color: Generated<number | null>;
    /** Callers can change nothing in an archived project. */
    archived_at: Generated<number | null>;
    /** Nothing in a deleted project is visible, until it is restored or erased. */
    deleted_at: Generated<number | null>;
    deleted_by: Generated<number | null>;
  };
  project_members: { project_id: number; account_id: number; added_at: number };
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
}
