/** Wire records for access: invites, sessions and API tokens. */
import * as z from "zod/mini";
import { account, organisation, role } from "./records.ts";
import { id, timestamp } from "./text.ts";

export const invite = z.looseObject({
  id,
  role,
  team_id: id,
  email: z.nullable(z.string()),
  project_ids: z.array(id),
  created_by_account_id: id,
  created_at: timestamp,
  expires_at: timestamp,
});
/** `url` carries the token and is shown only once: a repeated request with the same `Idempotency-Key` returns no `url`. */
export const newInvite = z.looseObject({ url: z.optional(z.string()), expires_at: timestamp });
export const newPasswordReset = z.looseObject({ url: z.string(), expires_at: timestamp });
/** A reset link that can still be used. */
export const passwordReset = z.looseObject({
  id,
  /** Whose password it resets. */
  account_id: id,
  /** null: created on the command line. */
  created_by_account_id: z.nullable(id),
  created_at: timestamp,
  expires_at: timestamp,
});
/** What a reset link shows before it is used. */
export const passwordResetPreview = z.looseObject({
  username: z.string(),
  email: z.string(),
  /** How many API tokens and connected apps of the account still work. */
  api_tokens: z.int(),
  /** True if these tokens are revoked in any case, as by a link from an owner or admin. */
  ends_tokens: z.boolean(),
  expires_at: timestamp,
});
/** What an invite link shows before the invitee joins. */
export const invitePreview = z.looseObject({
  organisation: z.string(),
  invited_by: z.string(),
  role,
  email: z.nullable(z.string()),
  projects: z.array(z.string()),
  expires_at: timestamp,
});

export const session = z.looseObject({
  account,
  organisation,
  role,
  scopes: z.array(z.string()),
  /** `session` (cookie) or `token` (bearer). */
  authorized_by: z.enum(["session", "token"]),
  /** Id of the browser session, as in `deviceSession`; null for a token. */
  session_id: z.nullable(id),
});
export const deviceSession = z.looseObject({
  id,
  current: z.boolean(),
  user_agent: z.string(),
  address: z.string(),
  created_at: timestamp,
  last_seen_at: timestamp,
  expires_at: timestamp,
});
export const apiToken = z.looseObject({
  id,
  name: z.string(),
  /** First characters of the token, enough to recognize it. */
  hint: z.string(),
  scopes: z.array(z.string()),
  created_at: timestamp,
  expires_at: z.nullable(timestamp),
  last_used_at: z.nullable(timestamp),
  /** Present only in the response that creates the token. */
  token: z.optional(z.string()),
});

export type Invite = z.infer<typeof invite>;
export type PasswordResetPreview = z.infer<typeof passwordResetPreview>;
export type PasswordReset = z.infer<typeof passwordReset>;
export type InvitePreview = z.infer<typeof invitePreview>;
export type Session = z.infer<typeof session>;
export type DeviceSession = z.infer<typeof deviceSession>;
export type ApiToken = z.infer<typeof apiToken>;
