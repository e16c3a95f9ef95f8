/** How the rows about webhooks are asked. */
import { newDelivery } from "../webhooks.ts";
import type { Stage } from "./actors.ts";
import { inPath, type Ask } from "./ask.ts";

type Side = "home" | "foreign";

/** Written, not asked for: the limit on endpoints and the rules are not what these rows are about. */
async function endpointOf({ cast: { world, owner, foreignOwner } }: Stage, side: Side, deleted = false): Promise<number> {
  const account = side === "home" ? owner : foreignOwner;
  const now = world.clock.now();
  return world.database.write(async (tx) => {
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
  (side: Side, deleted = false) =>
  (stage: Stage) =>
    endpointOf(stage, side, deleted);
const delivery = (side: Side) => async (stage: Stage) => newDelivery(stage.cast.world, await endpointOf(stage, side), "failed");

export const WEBHOOK_REQUESTS: Record<string, Ask> = {
  "createWebhookEndpoint one": () => ({ body: { url: "https://hooks.example.com/matrix", event_types: ["file.renamed"] } }),
  "listWebhookEndpoints all": async (stage) => {
    await endpointOf(stage, "home");
    await endpointOf(stage, "foreign");
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
