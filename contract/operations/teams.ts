import * as z from "zod/mini";
import { invite, invitePreview, newInvite, session } from "../access-records.ts";
import { list, operation, page, pageBody, PARTICIPANT_SCOPES, single } from "../define-operation.ts";
import { colorInput, fileStatusList, group, role, team } from "../records.ts";
import { email, id, idInPath, line, newPassword, secret, text, username, withDescription } from "../text.ts";

export const listTeams = operation({
  method: "POST",
  path: "/v1/teams/ls",
  group: "Teams",
  summary: "List your teams",
  source: "extension",
  scope: "account:read",
  rule: "self",
  body: z.optional(z.object({})),
  response: list(team),
});
export const listFileStatuses = operation({
  method: "POST",
  path: "/v1/teams/get_file_statuses",
  group: "Teams",
  feature: "statuses",
  summary: "List a team's file statuses in their order",
  source: "extension",
  scope: "files:read",
  rule: "team.read",
  body: z.object({ team_id: id }),
  response: fileStatusList,
});
export const inviteMember = operation({
  method: "POST",
  path: "/v1/teams/invite_member",
  group: "Teams",
  summary: "Make a link with which one person joins; it is shown this once, and works once, for 7 days",
  source: "extension",
  scope: "admin",
  rule: "team.invite",
  body: z.object({
    team_id: id,
    role,
    project_ids: z.optional(z.array(id).check(z.maxLength(200))),
    email: z.optional(z.nullable(email)),
  }),
  response: single("invite", newInvite),
  idempotent: true,
  errors: {
    403: `Only a session, not an API token, invites owners and admins. For other roles a token also needs the scopes that everybody who joins gets: ${PARTICIPANT_SCOPES.join(", ")}.`,
    409: "The organization has as many open invites as it can have.",
  },
});
export const listInvites = operation({
  method: "GET",
  path: "/api/v2/invites",
  group: "Teams",
  summary: "List the invites that are still open",
  source: "extension",
  scope: "admin",
  rule: "invite.manage",
  response: list(invite),
});
export const revokeInvite = operation({
  method: "DELETE",
  path: "/api/v2/invites/{invite_id}",
  group: "Teams",
  summary: "Revoke an invite",
  source: "extension",
  scope: "admin",
  rule: "invite.manage",
  params: z.object({ invite_id: idInPath }),
  response: null,
});
export const previewInvite = operation({
  method: "POST",
  path: "/api/v2/invites/preview",
  group: "Teams",
  summary: "What an invite link is for",
  source: "extension",
  scope: null,
  rule: "open",
  body: z.object({ token: secret }),
  response: single("invite_preview", invitePreview),
  errors: { 404: "The link is invalid, expired, revoked or already used." },
});
export const acceptInvite = operation({
  method: "POST",
  path: "/api/v2/invites/accept",
  group: "Teams",
  summary: "Join with an invite link; signs in",
  source: "extension",
  scope: null,
  rule: "open",
  cost: 5,
  body: z.object({ token: secret, username, email, password: newPassword }),
  response: single("session", session),
  errors: { 404: "The link is invalid, expired, revoked or already used.", 409: "The username or email address is taken, or the organization is full." },
});

export const listGroups = operation({
  method: "POST",
  path: "/v1/groups/ls",
  group: "Groups",
  summary: "List a team's groups in pages, by name",
  source: "extension",
  scope: "account:read",
  rule: "team.read",
  body: z.object({ team_id: id, ...pageBody }),
  response: page(group),
});
export const getGroup = operation({
  method: "POST",
  path: "/v1/groups/get_info",
  group: "Groups",
  summary: "Get one group",
  source: "extension",
  scope: "account:read",
  rule: "group.read",
  body: z.object({ group_id: id }),
  response: single("group", group),
});
export const createGroup = operation({
  method: "POST",
  path: "/v1/groups/create",
  group: "Groups",
  summary: "Create a group",
  source: "extension",
  scope: "admin",
  rule: "group.create",
  body: z.object({
    name: withDescription(line(120), "unlike all other groups of the team, whatever the case"),
    team_id: id,
    description: z.optional(text(2_000)),
  }),
  response: single("group", group),
  idempotent: true,
  errors: { 409: "The name is taken, or the team has as many groups as it can have." },
});
export const updateGroup = operation({
  method: "PATCH",
  path: "/api/v2/groups/{group_id}",
  group: "Groups",
  summary: "Rename, describe or color a group",
  source: "extension",
  scope: "admin",
  rule: "group.edit",
  params: z.object({ group_id: idInPath }),
  body: z.object({ name: z.optional(line(120)), description: z.optional(text(2_000)), color: colorInput }),
  response: single("group", group),
  errors: { 409: "The name is taken." },
});
export const deleteGroup = operation({
  method: "DELETE",
  path: "/api/v2/groups/{group_id}",
  group: "Groups",
  summary: "Delete a group; its projects stay, without a group",
  source: "extension",
  scope: "admin",
  rule: "group.delete",
  params: z.object({ group_id: idInPath }),
  response: null,
});
