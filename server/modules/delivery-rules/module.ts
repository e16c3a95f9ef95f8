/** Delivery rules: what a team's files must fulfill, and the check of a file. */
import * as operations from "../../../contract/operations/delivery-rules.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { ServiceModule } from "../../http/module.ts";
import { single } from "../../http/responses.ts";
import { createDeliveryRules, type DeliveryRulesService } from "./delivery-rules.ts";

export function createDeliveryRulesModule(deps: ModuleDeps): ServiceModule<{ deliveryRules: DeliveryRulesService }> {
  const deliveryRules = createDeliveryRules(deps);
  return {
    services: { deliveryRules },
    features: ["delivery-rules"],
    register({ route }) {
      route(operations.getDeliveryRules, async ({ actor, params }) => single("delivery_rules", await deliveryRules.get(actor, params.team_id)));
      route(operations.setDeliveryRules, async ({ actor, params, body: { if_updated_at, ...rules } }) => {
        const seenAt = typeof if_updated_at === "string" ? Date.parse(if_updated_at) : if_updated_at;
        return single("delivery_rules", await deliveryRules.set(actor, params.team_id, rules, seenAt));
      });
      route(operations.checkDelivery, async ({ actor, params, query }) =>
        single("delivery_check", await deliveryRules.check(actor, params.file_id, query.version ?? null)),
      );
      return {};
    },
  };
}
