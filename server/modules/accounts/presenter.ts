/** Presents organizations, accounts, members and API tokens as wire records, for responses and live events. */
import type { ApiToken, PasswordReset } from "../../../contract/access-records.ts";
import type { Scope } from "../../../contract/define-operation.ts";
import type { WorkingHours } from "../../../contract/account-profile.ts";
import type * as wire from "../../../contract/records.ts";
import type { Row } from "../../db/schema.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";

export const presentOrganisation = (row: Pick<Row<"organisations">, "id" | "name">): wire.Organisation => ({ id: row.id, name: row.name });

export type AccountRow = Pick<Row<"accounts">, "id" | "username" | "email" | "user_info" | "time_zone" | "locale" | "working_hours" | "avatar_id" | "is_agent">;
/** `publicUrl`: the base of `avatar_url`, in which the picture's id makes browsers load each picture once. */
export const presentAccount = (row: AccountRow, publicUrl: string): wire.Account => ({
  id: row.id,
  username: row.username,
  email: row.email,
  avatar_url: row.avatar_id === null ? null : `${publicUrl}/api/v2/accounts/${row.id}/avatar?version=${row.avatar_id}`,
  user_info: row.user_info,
  time_zone: row.time_zone,
  locale: row.locale,
  working_hours: row.working_hours === null ? null : (JSON.parse(row.working_hours) as WorkingHours),
  ...(row.is_agent === 1 ? { is_agent: true } : {}),
});

export const presentMember = (row: Row<"accounts">, projectIds: number[], publicUrl: string): wire.Member => ({
  ...presentAccount(row, publicUrl),
  role: row.role,
  disabled: row.disabled_at !== null,
  created_at: iso(row.created_at),
  last_seen_at: isoOrNull(row.last_seen_at),
  project_ids: projectIds,
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

export const presentPasswordReset = (row: Row<"password_resets">): PasswordReset => ({
  id: row.id,
  account_id: row.account_id,
  created_by_account_id: row.created_by,
  created_at: iso(row.created_at),
  expires_at: iso(row.expires_at),
});
