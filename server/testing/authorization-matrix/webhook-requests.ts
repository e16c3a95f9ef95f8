/** Requests for the matrix rows about webhooks. */
import { insertDelivery } from "../webhooks.ts";
import { inPath, type RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

type OrganizationKey = "home" | "foreign";

/** Inserts an endpoint directly in the database, because these rows test neither the endpoint limit nor the rules for creating one. */
async function insertEndpoint({ fixtures: { testApp, owner, foreignOwner } }: Scenario, organizationKey: OrganizationKey, deleted = false): Promise<number> {
  const account = organizationKey === "home" ? owner : foreignOwner;
  const now = testApp.clock.now();
  return testApp.database.write(async (tx) => {
    const { organisation_id } = await tx.selectFrom("accounts").select("organisation_id").where("id", "=", account.id).executeTakeFirstOrThrow();
    await tx.updateTable("webhook_endpoints").set({ deleted_at: now }).where("organisation_id", "=", organisation_id).where("deleted_at", "is", null).execute();
    const { id } = await tx
      .insertInto("webhook_endpoints")
      .values({
        organisation_id,
        url: "https://hooks.example.com/matrix",
        event_types: '["file.renamed"]',
        description: "",
        enabled: 1,
        secret: "",
        created_by: account.id,
        created_at: now,
        updated_at: now,
        deleted_at: deleted ? now : null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  });
}
const endpoint =
  (organizationKey: OrganizationKey, deleted = false) =>
  (scenario: Scenario) =>
    insertEndpoint(scenario, organizationKey, deleted);
const delivery = (organizationKey: OrganizationKey) => async (scenario: Scenario) =>
  insertDelivery(scenario.fixtures.testApp, await insertEndpoint(scenario, organizationKey), "failed");

export const WEBHOOK_REQUESTS: Record<string, RequestBuilder> = {
  "createWebhookEndpoint valid": () => ({ body: { url: "https://hooks.example.com/matrix", event_types: ["file.renamed"] } }),
  "checkWebhookUrl valid": () => ({ body: { url: "https://hooks.example.com/matrix" } }),
  "listWebhookEndpoints all": async (scenario) => {
    await insertEndpoint(scenario, "home");
    await insertEndpoint(scenario, "foreign");
    return {};
  },
  "getWebhookEndpoint of home": inPath("endpoint_id", endpoint("home")),
  "getWebhookEndpoint of foreign": inPath("endpoint_id", endpoint("foreign")),
  "getWebhookEndpoint deleted, of home": inPath("endpoint_id", endpoint("home", true)),
  "updateWebhookEndpoint of home": inPath("endpoint_id", endpoint("home"), { enabled: false }),
  "updateWebhookEndpoint of foreign": inPath("endpoint_id", endpoint("foreign"), { enabled: false }),
  "deleteWebhookEndpoint of home": inPath("endpoint_id", endpoint("home")),
  "deleteWebhookEndpoint of foreign": inPath("endpoint_id", endpoint("foreign")),
  "rotateWebhookSecret of home": inPath("endpoint_id", endpoint("home")),
  "testWebhookEndpoint of home": inPath("endpoint_id", endpoint("home"), {}),
  "testWebhookEndpoint of foreign": inPath("endpoint_id", endpoint("foreign"), {}),
  "listDeliveries of home": inPath("endpoint_id", endpoint("home")),
  "listDeliveries of foreign": inPath("endpoint_id", endpoint("foreign")),
  "getDelivery of home": inPath("delivery_id", delivery("home")),
  "getDelivery of foreign": inPath("delivery_id", delivery("foreign")),
  "listAttempts of home": inPath("delivery_id", delivery("home")),
  "listAttempts of foreign": inPath("delivery_id", delivery("foreign")),
  "redeliver of home": inPath("delivery_id", delivery("home")),
  "redeliver of foreign": inPath("delivery_id", delivery("foreign")),
  "recoverDeliveries of home": inPath("endpoint_id", endpoint("home"), { since: "2026-03-02T09:00:00Z" }),
  "recoverDeliveries of foreign": inPath("endpoint_id", endpoint("foreign"), { since: "2026-03-02T09:00:00Z" }),
};
