/** Presents organizations, accounts, members and API tokens as wire records, for responses and live events. */
import type { ApiToken, PasswordReset } from "../../../contract/access-records.ts";
import type { Scope } from "../../../contract/define-operation.ts";
import type * as wire from "../../../contract/records.ts";
import type { Row } from "../../db/schema.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";

export const presentOrganisation = (row: Pick<Row<"organisations">, "id" | "name">): wire.Organisation => ({ id: row.id, name: row.name });

type AccountRow = Pick<Row<"accounts">, "id" | "username" | "email" | "user_info">;
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
