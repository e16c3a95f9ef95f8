/** Rows and requests about push subscriptions and mail settings, each of them one's own. */
import { createPushTarget, deleteConfirmationEmails, subscribeBrowser } from "../notification-delivery.ts";
import { inPath, type RequestBuilder } from "./request-builder.ts";

export const DELIVERY_TABLE = `
getPushKey              all                            200 200 200 200 | 200 200 | 200 200 200 200
listPushSubscriptions   one's own                      200 200 200 200 | 200 200 | 200 200 200 200
createPushSubscription  one's own                      200 200 200 200 | 200 200 | 200 200 200 200
testPushSubscription    one's own                      204 204 204 204 | 204 204 | 204 204 204 204
testPushSubscription    of member                      404 404 404 404 | 404 404 | 404 204 404 404
deletePushSubscription  one's own                      204 204 204 204 | 204 204 | 204 204 204 204
deletePushSubscription  of member                      404 404 404 404 | 404 404 | 404 204 404 404
getMailSettings         one's own                      200 200 200 200 | 200 200 | 200 200 200 200
updateMailSettings      one's own                      200 200 200 200 | 200 200 | 200 200 200 200
sendMailConfirmation    one's own                      200 200 200 200 | 200 200 | 200 200 200 200
`;

const own = inPath("subscription_id", async ({ fixtures: { testApp } }, actor) => (await subscribeBrowser(testApp, actor.id)).id);
const ofMember = inPath("subscription_id", async ({ fixtures: { testApp, member } }) => (await subscribeBrowser(testApp, member.id)).id);

export const DELIVERY_REQUESTS: Record<string, RequestBuilder> = {
  "getPushKey all": () => ({}),
  "listPushSubscriptions one's own": () => ({}),
  "createPushSubscription one's own": () => ({ body: createPushTarget() }),
  "testPushSubscription one's own": own,
  "testPushSubscription of member": ofMember,
  "deletePushSubscription one's own": own,
  "deletePushSubscription of member": ofMember,
  "getMailSettings one's own": () => ({}),
  "updateMailSettings one's own": () => ({ body: { enabled: true } }),
  "sendMailConfirmation one's own": async ({ fixtures: { testApp } }, actor) => {
    await deleteConfirmationEmails(testApp, actor);
    return {};
  },
};
