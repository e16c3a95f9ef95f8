import * as z from "zod/mini";
import { list, operation, single } from "../define-operation.ts";
import { mailConfirmation, mailLink, mailSettings, pushKey, pushSubscription, pushTarget } from "../notification-delivery-records.ts";
import { idInPath, secret } from "../text.ts";

const params = z.object({ subscription_id: idInPath });
const linkQuery = z.object({ token: secret });
const INVALID_LINK = "The link is invalid, or the account has another email address by now.";
const CONFIRMATION_ERRORS = {
  404: "The link is invalid.",
  409: "The account has another email address by now.",
  410: "The link has expired.",
};

export const getPushKey = operation({
  method: "GET",
  path: "/api/v2/push-key",
  group: "Notifications",
  feature: "push",
  summary: "The public key of this service for push messages (RFC 8292)",
  source: "extension",
  scope: "session",
  rule: "self",
  response: single("push_key", pushKey),
});
export const listPushSubscriptions = operation({
  method: "GET",
  path: "/api/v2/push-subscriptions",
  group: "Notifications",
  feature: "push",
  summary: "List the browsers that get your push messages, newest first",
  source: "extension",
  scope: "session",
  rule: "self",
  response: list(pushSubscription),
});
export const createPushSubscription = operation({
  method: "POST",
  path: "/api/v2/push-subscriptions",
  group: "Notifications",
  feature: "push",
  summary: "Push notifications to the browser of this session until it ends; replaces what the session or the browser had before",
  source: "extension",
  scope: "session",
  rule: "self",
  cost: 2,
  body: z.object(pushTarget),
  response: single("push_subscription", pushSubscription),
});
export const testPushSubscription = operation({
  method: "POST",
  path: "/api/v2/push-subscriptions/{subscription_id}/test",
  group: "Notifications",
  feature: "push",
  summary: "Push a test notification to one of your browsers",
  source: "extension",
  scope: "session",
  rule: "self",
  cost: 5,
  params,
  response: null,
});
export const deletePushSubscription = operation({
  method: "DELETE",
  path: "/api/v2/push-subscriptions/{subscription_id}",
  group: "Notifications",
  feature: "push",
  summary: "Stop pushing notifications to a browser",
  source: "extension",
  scope: "session",
  rule: "self",
  params,
  response: null,
});

export const getMailSettings = operation({
  method: "GET",
  path: "/api/v2/mail-settings",
  group: "Notifications",
  feature: "mail",
  summary: "Where your emails go, and whether you get any",
  source: "extension",
  scope: "account:read",
  rule: "self",
  response: single("mail_settings", mailSettings),
});
export const updateMailSettings = operation({
  method: "PATCH",
  path: "/api/v2/mail-settings",
  group: "Notifications",
  feature: "mail",
  summary: "Unsubscribe from all emails, or subscribe again",
  source: "extension",
  scope: "account:write",
  furtherScopes: ["account:read"],
  rule: "self",
  body: z.object({ enabled: z.boolean() }),
  response: single("mail_settings", mailSettings),
});
export const sendMailConfirmation = operation({
  method: "POST",
  path: "/api/v2/mail-settings/confirmation",
  group: "Notifications",
  feature: "mail",
  summary: "Send the email with the link that confirms your address",
  source: "extension",
  scope: "account:write",
  furtherScopes: ["account:read"],
  rule: "self",
  cost: 5,
  response: single("mail_settings", mailSettings),
  errors: {
    409: "The address is confirmed already, its reader wants no emails, or the service sends none.",
    429: "The account or the address has got as many as a day allows (`confirmation_emails_per_day` of the limits).",
  },
});

// These work without a sign-in, also where emails are no longer sent.
export const openMailLink = operation({
  method: "GET",
  path: "/api/v2/mail/unsubscribe",
  group: "Notifications",
  summary: "Open the link in the header of an email: leads to the page that unsubscribes",
  source: "extension",
  scope: null,
  rule: "open",
  query: linkQuery,
  response: null,
  status: 302,
});
export const unsubscribeByMailLink = operation({
  method: "POST",
  path: "/api/v2/mail/unsubscribe",
  group: "Notifications",
  summary: "Unsubscribe by the link in the header of an email; mail programs do so with one click (RFC 8058)",
  source: "extension",
  scope: null,
  rule: "open",
  query: linkQuery,
  response: null,
  form: "unread",
  anyOrigin: true,
  errors: { 404: INVALID_LINK },
});
export const previewMailLink = operation({
  method: "POST",
  path: "/api/v2/mail-links/preview",
  group: "Notifications",
  summary: "Whose emails the link at the end of one stops",
  source: "extension",
  scope: null,
  rule: "open",
  body: z.object({ token: secret }),
  response: single("mail_link", mailLink),
  errors: { 404: INVALID_LINK },
});
export const applyMailLink = operation({
  method: "POST",
  path: "/api/v2/mail-links/use",
  group: "Notifications",
  summary: "Unsubscribe by the link at the end of an email, or subscribe again",
  source: "extension",
  scope: null,
  rule: "open",
  body: z.object({ token: secret, enabled: z.boolean() }),
  response: single("mail_link", mailLink),
  errors: { 404: INVALID_LINK },
});

export const previewMailConfirmation = operation({
  method: "POST",
  path: "/api/v2/mail-confirmations/preview",
  group: "Notifications",
  summary: "Which account and address the link in a confirmation email confirms",
  source: "extension",
  scope: null,
  rule: "open",
  body: z.object({ token: secret }),
  response: single("mail_confirmation", mailConfirmation),
  errors: CONFIRMATION_ERRORS,
});
export const confirmMailAddress = operation({
  method: "POST",
  path: "/api/v2/mail-confirmations",
  group: "Notifications",
  summary: "Confirm an address by the link in a confirmation email; also subscribes it again",
  source: "extension",
  scope: null,
  rule: "open",
  body: z.object({ token: secret }),
  response: single("mail_confirmation", mailConfirmation),
  errors: CONFIRMATION_ERRORS,
});
