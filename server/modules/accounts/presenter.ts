/** Presents database rows as wire records, for responses and live events. */
import type { ApiToken, Invite } from "../../../contract/access-records.ts";
import type { Scope } from "../../../contract/define-operation.ts";
import type * as wire from "../../../contract/records.ts";
import type { Row } from "../../db/schema.ts";

export const iso = (time: number): string => new Date(time).toISOString();
export const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

export const presentOrganisation = (row: Pick<Row<"organisations">, "id" | "name">): wire.Organisation => ({ id: row.id, name: row.name });

export type AccountRow = Pick<Row<"accounts">, "id" | "username" | "email" | "user_info">;
/** `avatar_url` is always null because accounts have no pictures; the client draws initials. */
export const presentAccount = (row: AccountRow): wire.Account => ({
  id: row.id,
  username: row.username,
  email: row.email,
  avatar_url: null,
  user_info: row.user_info,
});

export const presentMember = (row: Row<"accounts">, projectIds: number[]): wire.Member => ({
  ...presentAccount(row),
  role: row.role,
  disabled: row.disabled_at !== null,
  created_at: iso(row.created_at),
  last_seen_at: isoOrNull(row.last_seen_at),
  project_ids: projectIds,
});

export const presentTeam = (row: Row<"teams">, role: wire.Role): wire.Team => ({
  id: row.id,
  name: row.name,
  organisation_id: row.organisation_id,
  role,
});

export const presentGroup = (row: Row<"project_groups">): wire.Group => ({
  id: row.id,
  name: row.name,
  description: row.description,
  team_id: row.team_id,
});

export const presentReaderMark = (row: Pick<Row<"read_markers">, "account_id" | "last_read_message_id" | "moved_at">): wire.ReaderMark => ({
  account_id: row.account_id,
  last_read_message_id: row.last_read_message_id,
  moved_at: iso(row.moved_at),
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
});

export const presentProject = (row: ProjectForReader, role: wire.Role): wire.Project => ({
  ...presentSharedProject(row),
  role,
  unread_count: row.unread_count,
  mention_count: row.mention_count,
  last_read_message_id: row.last_read_message_id,
});

export type StatusFacts = Pick<Row<"file_statuses">, "id" | "title" | "color" | "position">;
export const presentFileStatus = (row: StatusFacts): wire.FileStatus => ({
  id: row.id,
  title: row.title,
  color: row.color,
  position: row.position,
});

/** A team's statuses in order. */
export const presentStatuses = ({ statuses, defaultId }: { statuses: readonly StatusFacts[]; defaultId: number | null }) => ({
  object: "list" as const,
  data: statuses.map(presentFileStatus),
  default_status_id: defaultId,
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

export const presentToken = (row: Row<"api_tokens">): ApiToken => ({
  id: row.id,
  name: row.name,
  hint: `tb_pat_${row.public_id}_…`,
  scopes: JSON.parse(row.scopes) as Scope[],
  created_at: iso(row.created_at),
  expires_at: isoOrNull(row.expires_at),
  last_used_at: isoOrNull(row.last_used_at),
});
