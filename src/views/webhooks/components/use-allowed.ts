import { WEBHOOK_FEATURES } from "../../../../contract/webhook-features.ts";
import { useService } from "../../../queries/service/use-service.ts";
import type { UrlPolicy } from "../model/url-check.ts";

/** What the operator lets endpoints be besides public and https. Until it is known nothing is called wrong that may be right. */
export function useUrlPolicy(): UrlPolicy {
  const features = useService().data?.features;
  return {
    http: features?.includes(WEBHOOK_FEATURES.http) ?? true,
    local: features?.includes(WEBHOOK_FEATURES.local) ?? true,
  };
}
