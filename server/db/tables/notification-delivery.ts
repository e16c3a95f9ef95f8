/** Tables of what sends notifications outside of the page: browsers for push messages, unsubscribed accounts, and the queue. */
import type { Generated } from "kysely";
import type { Flag } from "./flag.ts";

/** `skipped`: there was nothing left to send, because everything was read, deleted or hidden before, or the person no longer wants it. */
export type NotificationDeliveryState = "pending" | "sent" | "skipped" | "failed";

export interface NotificationDeliveryTables {
  /** One browser, as long as its session lasts. */
  push_subscriptions: {
    id: Generated<number>;
    account_id: number;
    session_id: number;
    /** SHA-256 of the endpoint, which identifies the browser. */
    endpoint_hash: string;
    /** Encrypted JSON: the endpoint and the browser's keys. */
    target: string;
    /** First failed attempt since the last successful one; null while attempts succeed. */
    failing_since: Generated<number | null>;
    created_at: number;
  };
  /** Accounts whose person has unsubscribed from emails in the settings. */
  mail_opt_outs: { account_id: number; created_at: number };
  /** The address that an account has confirmed. It counts while it is the account's address. */
  confirmed_addresses: { account_id: number; email_key: string; confirmed_at: number };
  /** Addresses whose reader has unsubscribed by the link in an email to an account. */
  address_opt_outs: { email_key: string; account_id: number; created_at: number };
  /** Addresses whose reader wants no confirmation emails, for any account. The tag is an HMAC of the address. */
  blocked_addresses: { address_tag: string; created_at: number };
  /** One push message to one browser, or one email. It collects notifications until its first attempt. */
  notification_deliveries: {
    id: Generated<number>;
    account_id: number;
    channel: "push" | "mail";
    /** The browser of a push message. It may be gone, because its session ended. */
    subscription_id: number | null;
    /** A test has no notifications. */
    is_test: Flag;
    /** A digest collects only what goes into digests. */
    is_digest: Flag;
    /** The address to confirm; null unless it is a confirmation email, which has no notifications. */
    confirms_email_key: Generated<string | null>;
    state: NotificationDeliveryState;
    /** Position in the retry schedule: failed attempts, without interrupted ones. */
    step: Generated<number>;
    /** Attempts, counted when they are claimed. */
    attempts: Generated<number>;
    /** Set exactly while the state is `pending`. */
    next_attempt_at: number | null;
    /** Set during an attempt: only the process that holds the token records the result. */
    lease_until: number | null;
    lease_token: string | null;
    /** What came of the last attempt. */
    outcome: Generated<string | null>;
    created_at: number;
    done_at: Generated<number | null>;
  };
  notification_delivery_items: { delivery_id: number; notification_id: number };
}
