import * as z from "zod/mini";
import { deviceSession, passwordResetPreview, session } from "../access-records.ts";
import { list, operation, single } from "../define-operation.ts";
import { ticket } from "../events.ts";
import { service } from "../records.ts";
import { email, id, idInPath, line, login, newPassword, secret, username, withDescription } from "../text.ts";

const sessionResponse = single("session", session);

export const getService = operation({
  method: "GET",
  path: "/api/v2/service",
  group: "Service",
  summary: "Name, version, features and limits of this service",
  source: "extension",
  scope: null,
  rule: "open",
  response: single("service", service),
});
export const setUp = operation({
  method: "POST",
  path: "/api/v2/setup",
  group: "Session",
  summary: "Create the organization and its owner; needs the one-time link from the service's log, and signs in",
  source: "extension",
  scope: null,
  rule: "open",
  cost: 5,
  body: z.object({ token: secret, organisation: line(120), username, email, password: newPassword }),
  response: sessionResponse,
  errors: { 403: "The setup link is invalid.", 409: "The service is set up already." },
});
export const getSession = operation({
  method: "GET",
  path: "/api/v2/session",
  group: "Session",
  summary: "Who you are, where, and what you may use",
  source: "extension",
  scope: "account:read",
  rule: "self",
  response: sessionResponse,
});
export const signIn = operation({
  method: "POST",
  path: "/api/v2/session",
  group: "Session",
  summary: "Sign in with email or username and password",
  source: "extension",
  scope: null,
  rule: "open",
  cost: 5,
  body: z.object({
    login,
    password: secret,
    organisation_id: withDescription(z.optional(id), "one of `organisations` of a 409"),
  }),
  response: sessionResponse,
  errors: {
    401: "Wrong email address, username or password.",
    403: "The account is disabled.",
    409: "Login and password fit accounts in several organizations: `organisations` lists their ids and names.",
  },
});
export const signOut = operation({
  method: "DELETE",
  path: "/api/v2/session",
  group: "Session",
  summary: "Sign out here",
  source: "extension",
  scope: "session",
  rule: "self",
  response: null,
});
export const listSessions = operation({
  method: "GET",
  path: "/api/v2/sessions",
  group: "Session",
  feature: "sessions",
  summary: "List the browsers in which you are signed in",
  source: "extension",
  scope: "session",
  rule: "self",
  response: list(deviceSession),
});
export const endSession = operation({
  method: "DELETE",
  path: "/api/v2/sessions/{session_id}",
  group: "Session",
  feature: "sessions",
  summary: "Sign out one browser",
  source: "extension",
  scope: "session",
  rule: "self",
  params: z.object({ session_id: idInPath }),
  response: null,
});
export const endAllSessions = operation({
  method: "DELETE",
  path: "/api/v2/sessions",
  group: "Session",
  feature: "sessions",
  summary: "Sign out everywhere, here too",
  source: "extension",
  scope: "session",
  rule: "self",
  response: null,
});
export const previewPasswordReset = operation({
  method: "POST",
  path: "/api/v2/password-resets/preview",
  group: "Session",
  summary: "Whose password a reset link resets, and what ends with it",
  source: "extension",
  scope: null,
  rule: "open",
  body: z.object({ token: secret }),
  response: single("password_reset_preview", passwordResetPreview),
  errors: { 404: "The link is invalid, expired, revoked or already used." },
});
export const resetPassword = operation({
  method: "POST",
  path: "/api/v2/password-resets/use",
  group: "Session",
  summary: "Choose a new password with a reset link; signs out everywhere and in here, and ends signed URLs and pending links",
  source: "extension",
  scope: null,
  rule: "open",
  cost: 5,
  body: z.object({
    token: secret,
    password: newPassword,
    end_tokens: withDescription(
      z.optional(z.boolean()),
      "also revoke all your API tokens and connected apps, default true; a link from an owner or admin always revokes them",
    ),
  }),
  response: sessionResponse,
  errors: { 404: "The link is invalid, expired or already used." },
});
export const liveTicket = operation({
  method: "POST",
  path: "/api/v2/live/ticket",
  group: "Live",
  summary: "A ticket that opens the live channel; it works once, within 30 seconds (GET /api/v2/live?ticket=…)",
  source: "extension",
  scope: "account:read",
  rule: "self",
  response: single("live_ticket", ticket),
});
