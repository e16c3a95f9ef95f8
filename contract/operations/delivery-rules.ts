import * as z from "zod/mini";
import { operation, single } from "../define-operation.ts";
import { deliveryCheck, deliveryRuleInput, deliveryRules } from "../delivery-records.ts";
import { dateTime, idInPath, withDescription } from "../text.ts";

const group = "Delivery rules";
const teamPath = { path: "/api/v2/teams/{team_id}/delivery-rules", params: z.object({ team_id: idInPath }) } as const;

export const getDeliveryRules = operation({
  method: "GET",
  ...teamPath,
  group,
  summary: "What a team's files must fulfill before they are delivered",
  source: "extension",
  scope: "files:read",
  rule: "team.read",
  response: single("delivery_rules", deliveryRules),
});
export const setDeliveryRules = operation({
  method: "PUT",
  ...teamPath,
  group,
  summary: "Replace a team's delivery rules",
  source: "extension",
  scope: "admin",
  rule: "delivery_rules.manage",
  body: z.object({
    ...deliveryRuleInput,
    if_updated_at: withDescription(
      z.optional(z.nullable(dateTime)),
      "`updated_at` of the rules that the caller has seen. If somebody has set others meanwhile, the response is a 409 and nothing changes",
    ),
  }),
  errors: { 409: "The rules have been set at another time than `if_updated_at` says." },
  response: single("delivery_rules", deliveryRules),
});
export const checkDelivery = operation({
  method: "GET",
  path: "/api/v2/files/{file_id}/delivery-check",
  group,
  summary: "Check a version of a file against the delivery rules of its team",
  source: "extension",
  scope: "files:read",
  rule: "file.read",
  params: z.object({ file_id: idInPath }),
  query: z.object({ version: withDescription(z.optional(idInPath), "its number; the current one by default") }),
  response: single("delivery_check", deliveryCheck),
});
