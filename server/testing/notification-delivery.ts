/** Push subscriptions and links of emails, as tests need them. */
import { createECDH, randomBytes } from "node:crypto";
import * as delivery from "../../contract/operations/notification-delivery.ts";
import type { PushTarget } from "../delivery/send-push.ts";
import { deriveKey } from "../lib/crypto.ts";
import { createMailLinks } from "../modules/notification-delivery/mail-links.ts";
import type { Caller } from "./client.ts";
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

/** Returns the token of the link in an account's emails. */
export async function mailTokenOf(testApp: TestApp, accountId: number): Promise<string> {
  const account = await testApp.database.read.selectFrom("accounts").select(["id", "email_key"]).where("id", "=", accountId).executeTakeFirstOrThrow();
  const links = createMailLinks(deriveKey(testApp.masterKey, "mail links"), PUBLIC_URL);
  return links.pageUrl(account).split("#")[1] ?? "";
}
