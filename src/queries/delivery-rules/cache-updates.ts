/** Applies changes of delivery rules to what is cached. */
import type { ClientData } from "../../client/client.ts";
import { invalidate } from "../query-client.ts";

export const deliveryRulesKeys = {
  all: ["delivery-rules"] as const,
  team: (teamId: number) => ["delivery-rules", "team", teamId] as const,
  checks: ["delivery-rules", "check"] as const,
  /** Checks of the versions of a file. */
  file: (fileId: number) => ["delivery-rules", "check", fileId] as const,
};

/** Checks a file again, whose name, version or analysis may have changed. */
export const invalidateDeliveryCheck = (client: ClientData, fileId: number): void => invalidate(client, deliveryRulesKeys.file(fileId));
