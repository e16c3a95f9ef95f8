/** Push subscriptions and links of emails, as tests need them. */
import { createECDH, randomBytes } from "node:crypto";
import * as delivery from "../../contract/operations/notification-delivery.ts";
import type { PushTarget } from "../delivery/send-push.ts";
import { DAY } from "../lib/clock.ts";
import { deriveKey } from "../lib/crypto.ts";
import { createConfirmationLinks } from "../modules/notification-delivery/confirmation-links.ts";
import { createMailLinks } from "../modules/notification-delivery/mail-links.ts";
import { ANONYMOUS, type Caller } from "./client.ts";
import { createSession } from "./people.ts";
import { PUBLIC_URL, type TestApp } from "./test-app.ts";

/** Returns what a browser would give to services. */
export function createPushTarget(endpoint = `https://push.example/${randomBytes(12).toString("hex")}`): PushTarget {
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  return { endpoint, keys: { p256dh: browser.getPublicKey("base64url"), auth: randomBytes(16).toString("base64url") } };
}

/** Subscribes another browser of the account, and returns the subscription with the session that has it. */
export async function subscribeBrowser(testApp: TestApp, accountId: number, target = createPushTarget()): Promise<{ id: number; caller: Caller }> {
  const caller = await createSession(testApp, accountId, "a browser with push messages");
  const reply = await testApp.call(caller, delivery.createPushSubscription, { body: target });
  return { id: reply.response.data.id, caller };
}

const loadAccount = ({ database }: TestApp, id: number) =>
  database.read.selectFrom("accounts").select(["id", "email_key"]).where("id", "=", id).executeTakeFirstOrThrow();
const tokenIn = (url: string): string => url.split("#")[1] ?? "";

/** Returns the token of the link in an account's emails. */
export const mailTokenOf = async (testApp: TestApp, accountId: number): Promise<string> =>
  tokenIn(createMailLinks(deriveKey(testApp.masterKey, "mail links"), PUBLIC_URL).pageUrl(await loadAccount(testApp, accountId)));

const confirmationLinksOf = ({ masterKey }: TestApp) => createConfirmationLinks(deriveKey(masterKey, "mail links"), PUBLIC_URL);

/** Returns the token of the link that confirms the account's address. */
export const confirmationTokenOf = async (testApp: TestApp, accountId: number, expiresAt = testApp.clock.now() + DAY): Promise<string> =>
  tokenIn(confirmationLinksOf(testApp).confirmUrl(await loadAccount(testApp, accountId), expiresAt));

/** Returns the token of the link in a confirmation email that blocks the address. */
export const blockTokenOf = async (testApp: TestApp, accountId: number): Promise<string> =>
  tokenIn(confirmationLinksOf(testApp).blockUrl(await loadAccount(testApp, accountId)));

/** Confirms the account's address as the reader of its confirmation email does. */
export async function confirmAddress(testApp: TestApp, { id }: { id: number }): Promise<void> {
  const reply = await testApp.call(ANONYMOUS, delivery.confirmMailAddress, { body: { token: await confirmationTokenOf(testApp, id) } });
  if (!reply.response.data.confirmed) throw new Error("The address was not confirmed");
}

/** Deletes the confirmation emails of an account, also from the count of its day. */
export const deleteConfirmationEmails = ({ database }: TestApp, { id }: { id: number }): Promise<unknown> =>
  database.write((tx) => tx.deleteFrom("notification_deliveries").where("account_id", "=", id).where("confirms_email_key", "is not", null).execute());
