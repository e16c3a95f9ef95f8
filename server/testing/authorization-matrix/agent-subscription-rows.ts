/** The matrix rows about event subscriptions of agents, in the format of `table.ts`, and their requests. */
import { insertAgentDelivery, insertSubscription } from "../agent-subscriptions.ts";
import { WEBHOOK_URL } from "../webhooks.ts";
import { agentIn, type ProjectKey } from "./agent-task-rows.ts";
import type { RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

export const AGENT_SUBSCRIPTION_TABLE = `
listEventSubscriptions  of an agent in home         404 404 404 404 | 403 404 | 403 403 200 200
listEventSubscriptions  of an agent in apart        404 404 404 404 | 403 404 | 404 403 200 200
createEventSubscription for an agent in home        404 404 404 404 | 403 404 | 403 403 200 200
createEventSubscription for an agent in foreign     200 200 403 403 | 404 404 | 404 404 404 404
getEventSubscription    of an agent in home         404 404 404 404 | 403 404 | 403 403 200 200
updateEventSubscription of an agent in home         404 404 404 404 | 403 404 | 403 403 200 200
updateEventSubscription of an agent in foreign      200 200 403 403 | 404 404 | 404 404 404 404
deleteEventSubscription of an agent in home         404 404 404 404 | 403 404 | 403 403 204 204
rotateSubscriptionSecret of an agent in home        404 404 404 404 | 403 404 | 403 403 200 200
listSubscriptionDeliveries of an agent in home      404 404 404 404 | 403 404 | 403 403 200 200
getSubscriptionDelivery of an agent in home         404 404 404 404 | 403 404 | 403 403 200 200
redeliverSubscriptionDelivery of an agent in home   404 404 404 404 | 403 404 | 403 403 200 200
`;

/** Inserts a subscription with a delivery, after ending those of earlier rows because of the limit per agent. */
async function insertDelivery({ fixtures }: Scenario, key: ProjectKey, agent_id: number) {
  const { testApp, owner, foreignOwner } = fixtures;
  const now = testApp.clock.now();
  const createdBy = key === "foreign" ? foreignOwner.id : owner.id;
  return testApp.database.write(async (tx) => {
    await tx.updateTable("webhook_endpoints").set({ deleted_at: now }).where("agent_id", "=", agent_id).where("deleted_at", "is", null).execute();
    const subscription_id = await insertSubscription(tx, { agent: agent_id, createdBy, now });
    return { agent_id, subscription_id, delivery_id: await insertAgentDelivery(tx, subscription_id, fixtures[key].project, now) };
  });
}

const request =
  (key: ProjectKey, names: ("subscription_id" | "delivery_id")[], body?: object): RequestBuilder =>
  async (scenario) => {
    const inserted = await insertDelivery(scenario, key, await agentIn(scenario, key));
    const params = { agent_id: inserted.agent_id, ...Object.fromEntries(names.map((name) => [name, inserted[name]])) };
    return body ? { params, body } : { params };
  };
const NEW = { event_types: ["message.created"], url: WEBHOOK_URL };

export const AGENT_SUBSCRIPTION_REQUESTS: Record<string, RequestBuilder> = {
  "listEventSubscriptions of an agent in home": request("home", []),
  "listEventSubscriptions of an agent in apart": request("apart", []),
  "createEventSubscription for an agent in home": request("home", [], NEW),
  "createEventSubscription for an agent in foreign": request("foreign", [], NEW),
  "getEventSubscription of an agent in home": request("home", ["subscription_id"]),
  "updateEventSubscription of an agent in home": request("home", ["subscription_id"], { enabled: false }),
  "updateEventSubscription of an agent in foreign": request("foreign", ["subscription_id"], { enabled: false }),
  "deleteEventSubscription of an agent in home": request("home", ["subscription_id"]),
  "rotateSubscriptionSecret of an agent in home": request("home", ["subscription_id"]),
  "listSubscriptionDeliveries of an agent in home": request("home", ["subscription_id"]),
  "getSubscriptionDelivery of an agent in home": request("home", ["subscription_id", "delivery_id"]),
  "redeliverSubscriptionDelivery of an agent in home": request("home", ["subscription_id", "delivery_id"]),
};
