import * as z from "zod/mini";
import { profileChanges } from "../account-profile.ts";
import { apiToken, newPasswordReset, passwordReset } from "../access-records.ts";
import { list, operation, page, pageQuery, single, SCOPES } from "../define-operation.ts";
import { account, member, organisation, role } from "../records.ts";
import { email, id, idInPath, line, dateTime, newPassword, secret, text, username, withDescription } from "../text.ts";

export const getAccount = operation({
  method: "POST",
  path: "/v1/account/get_info",
  group: "Account",
  summary: "Get an account; your own without account_id",
  source: "extension",
  scope: "account:read",
  rule: "account.read",
  body: z.optional(z.object({ account_id: z.optional(id) })),
  response: single("account", account),
});
export const updateAccount = operation({
  method: "PATCH",
  path: "/api/v2/account",
  group: "Account",
  summary: "Change your profile; a token cannot change name and email address, with which you sign in",
  source: "extension",
  scope: "account:write",
  furtherScopes: ["account:read"],
  rule: "self",
  // A new name is compared with all names of the organization.
  cost: 10,
  body: z.object({ username: z.optional(username), email: z.optional(email), user_info: z.optional(text(500)), ...profileChanges }),
  response: single("account", account),
  errors: { 409: "The username or email address is taken." },
});
export const changePassword = operation({
  method: "POST",
  path: "/api/v2/account/password",
  group: "Account",
  summary: "Change your password; signs out every other browser",
  source: "extension",
  scope: "session",
  rule: "self",
  cost: 5,
  body: z.object({
    current_password: secret,
    new_password: newPassword,
    end_tokens: withDescription(z.optional(z.boolean()), "also revoke all your API tokens and connected apps, default false"),
  }),
  response: null,
  errors: { 403: "The current password is incorrect." },
});
export const listMembers = operation({
  method: "GET",
  path: "/api/v2/accounts",
  group: "Members",
  summary: "List the people whom you see: a guest sees those who share a project, everybody else the organization",
  source: "extension",
  scope: "account:read",
  rule: "self",
  cost: 2,
  query: pageQuery,
  response: page(member),
});
export const updateMember = operation({
  method: "PATCH",
  path: "/api/v2/accounts/{account_id}",
  group: "Members",
  summary: "Change a person's role, or disable and enable them",
  source: "extension",
  scope: "admin",
  rule: "account.manage",
  params: z.object({ account_id: idInPath }),
  body: z.object({ role: z.optional(role), disabled: z.optional(z.boolean()) }),
  response: single("member", member),
  errors: {
    403: "Only a session, not an API token, makes somebody an owner or admin. A token promotes or enables others only with the scopes of everybody who joins.",
    409: "The organization would have no owner left.",
  },
});
/** One step for what would be two changes of roles, between which the organization could be left without the right owner. */
export const transferOwnership = operation({
  method: "POST",
  path: "/api/v2/accounts/{account_id}/transfer-ownership",
  group: "Members",
  summary: "Make a person an owner; with step_down you become an admin in the same step",
  source: "extension",
  scope: "session",
  rule: "account.manage",
  cost: 5,
  params: z.object({ account_id: idInPath }),
  body: z.object({ password: withDescription(secret, "your own"), step_down: z.optional(z.boolean()) }),
  response: single("member", member),
  errors: { 403: "The password is incorrect, or you are not an owner.", 409: "The account is disabled, an agent or your own." },
});
export const updateOrganisation = operation({
  method: "PATCH",
  path: "/api/v2/organisation",
  group: "Members",
  summary: "Rename the organization",
  source: "extension",
  scope: "admin",
  rule: "organisation.edit",
  body: z.object({ name: line(120) }),
  response: single("organisation", organisation),
});
export const createPasswordReset = operation({
  method: "POST",
  path: "/api/v2/accounts/{account_id}/password-reset",
  group: "Members",
  summary: "Make a link with which a person chooses a new password; it works once, for 24 hours",
  source: "extension",
  scope: "session",
  rule: "account.manage",
  params: z.object({ account_id: idInPath }),
  response: single("password_reset", newPasswordReset),
  errors: { 409: "The organization has as many open reset links as it can have." },
});
export const listPasswordResets = operation({
  method: "GET",
  path: "/api/v2/password-resets",
  group: "Members",
  summary: "List the password reset links that are still open",
  source: "extension",
  scope: "admin",
  rule: "password_reset.manage",
  response: list(passwordReset),
});
export const revokePasswordReset = operation({
  method: "DELETE",
  path: "/api/v2/password-resets/{reset_id}",
  group: "Members",
  summary: "Revoke a password reset link",
  source: "extension",
  scope: "admin",
  rule: "password_reset.manage",
  params: z.object({ reset_id: idInPath }),
  response: null,
});

export const listTokens = operation({
  method: "GET",
  path: "/api/v2/api-tokens",
  group: "API tokens",
  summary: "List your API tokens",
  source: "extension",
  scope: "session",
  rule: "self",
  response: list(apiToken),
});
export const createToken = operation({
  method: "POST",
  path: "/api/v2/api-tokens",
  group: "API tokens",
  summary: "Create an API token; it is shown this once",
  source: "extension",
  scope: "session",
  rule: "self",
  body: z.object({
    name: line(80),
    scopes: z.array(z.enum(SCOPES)).check(z.minLength(1, "must include at least one scope")),
    expires_at: z.optional(z.nullable(dateTime)),
  }),
  response: single("api_token", apiToken),
  idempotent: true,
  errors: { 409: "You have as many API tokens as you can have." },
});
export const revokeToken = operation({
  method: "DELETE",
  path: "/api/v2/api-tokens/{token_id}",
  group: "API tokens",
  summary: "Revoke an API token at once",
  source: "extension",
  scope: "session",
  rule: "self",
  params: z.object({ token_id: idInPath }),
  response: null,
});
