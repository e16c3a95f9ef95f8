/** Wire records for the delivery of notifications outside of the page: push messages and emails. All of them are extensions. */
import * as z from "zod/mini";
import { id, timestamp, withDescription } from "./text.ts";

export const pushKey = z.looseObject({ public_key: withDescription(z.string(), "P-256, uncompressed, base64url: `applicationServerKey` of the Push API") });

/** A browser that gets push messages, until its session ends. */
export const pushSubscription = z.looseObject({
  id,
  /** True for the browser that asks. */
  current: z.boolean(),
  user_agent: z.string(),
  created_at: timestamp,
});
export type PushSubscriptionRecord = z.infer<typeof pushSubscription>;

export const mailSettings = z.looseObject({
  /** Where emails go: the account's address. */
  email: z.string(),
  enabled: withDescription(z.boolean(), "false: you have unsubscribed from all emails in the settings"),
  address_status: withDescription(
    z.enum(["unconfirmed", "confirmation_sent", "undeliverable", "confirmed", "unsubscribed_by_link", "blocked"]),
    "emails go only to a `confirmed` address; `unsubscribed_by_link` has to be confirmed again, and `blocked` gets no confirmation email either, because its reader asked for no more of them",
  ),
});
export type MailSettings = z.infer<typeof mailSettings>;

/** What the link at the end of an email shows to somebody who is not signed in. */
export const mailLink = z.looseObject({
  organisation: withDescription(
    z.nullable(z.string()),
    "null, like `email`: the link of a confirmation email, which is for an address whatever account it was entered for",
  ),
  email: z.nullable(z.string()),
  enabled: z.boolean(),
});
export type MailLink = z.infer<typeof mailLink>;

/** What the link in a confirmation email shows to somebody who is not signed in. */
export const mailConfirmation = z.looseObject({ organisation: z.string(), username: z.string(), email: z.string(), confirmed: z.boolean() });
export type MailConfirmation = z.infer<typeof mailConfirmation>;

/** How a browser is reached, as `PushSubscription.toJSON()` of the Push API says it. */
export const pushTarget = {
  endpoint: withDescription(z.string().check(z.minLength(1), z.maxLength(2_000)), "address at the browser's push service; public and https"),
  keys: z.object({
    p256dh: withDescription(z.string().check(z.regex(/^[\w-]{87}=?$/, "must be 65 bytes in base64url")), "the browser's public key"),
    auth: withDescription(z.string().check(z.regex(/^[\w-]{22}(==)?$/, "must be 16 bytes in base64url")), "the browser's authentication secret"),
  }),
};
