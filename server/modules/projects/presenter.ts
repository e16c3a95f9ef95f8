/** Presents teams, groups, projects and invites as wire records, for responses and live events. */
import type { Invite } from "../../../contract/access-records.ts";
import type { DeletedProject } from "../../../contract/deleted-project-records.ts";
import type * as wire from "../../../contract/records.ts";
import type { Row } from "../../db/schema.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";
import { PROJECT_RESTORABLE_MS } from "./project-retention.ts";

export const presentTeam = (row: Row<"teams">, role: wire.Role): wire.Team => ({
  id: row.id,
  name: row.name,
  organisation_id: row.organisation_id,
  role,
  new_version_resets_status: row.new_version_resets_status === 1,
});

export const presentGroup = (row: Row<"project_groups">): wire.Group => ({
  id: row.id,
  name: row.name,
  description: row.description,
  team_id: row.team_id,
  color: row.color,
  created_by_account_id: row.created_by,
});

export type ProjectForReader = Row<"projects"> & { unread_count: number; mention_count: number; last_read_message_id: number | null };

/** The fields that are the same for every reader. */
export const presentSharedProject = (row: Row<"projects">) => ({
  id: row.id,
  team_id: row.team_id,
  group_id: row.group_id,
  name: row.name,
  description: row.description,
  root_folder_id: row.root_folder_id,
  created_at: iso(row.created_at),
  last_message_id: row.last_message_id,
  color: row.color,
  created_by_account_id: row.created_by,
  archived_at: isoOrNull(row.archived_at),
});

export const presentProject = (row: ProjectForReader, role: wire.Role): wire.Project => ({
  ...presentSharedProject(row),
  role,
  unread_count: row.unread_count,
  mention_count: row.mention_count,
  last_read_message_id: row.last_read_message_id,
});

export type DeletedProjectRow = Row<"projects"> & { deleted_at: number; deleted_by: number };
export interface DeletedProjectView {
  project: DeletedProjectRow;
  /** Without those that were deleted before. */
  fileCount: number;
}

export const presentDeletedProject = ({ project, fileCount }: DeletedProjectView): DeletedProject => ({
  id: project.id,
  team_id: project.team_id,
  name: project.name,
  color: project.color,
  deleted_at: iso(project.deleted_at),
  deleted_by_account_id: project.deleted_by,
  restorable_until: iso(project.deleted_at + PROJECT_RESTORABLE_MS),
  file_count: fileCount,
});

export const presentInvite = (row: Row<"invites">): Invite => ({
  id: row.id,
  role: row.role,
  team_id: row.team_id,
  email: row.email,
  project_ids: JSON.parse(row.project_ids) as number[],
  created_by_account_id: row.created_by,
  created_at: iso(row.created_at),
  expires_at: iso(row.expires_at),
});
