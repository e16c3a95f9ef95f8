import { WEBHOOK_FEATURES } from "../../../../contract/webhook-features.ts";
import { useService } from "../../../queries/service/use-service.ts";
import type { UrlPolicy } from "../model/url-check.ts";

/** Returns the URLs the operator allows besides public HTTPS ones; allows all until this is known, so that no valid URL is rejected. */
export function useUrlPolicy(): UrlPolicy {
  const features = useService().data?.features;
  return {
    http: features?.includes(WEBHOOK_FEATURES.http) ?? true,
    local: features?.includes(WEBHOOK_FEATURES.local) ?? true,
  };
}
