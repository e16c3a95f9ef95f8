/** Names that `GET /api/v2/service` lists in `features`, so that a page can validate an endpoint URL while it is typed. */
export const WEBHOOK_FEATURES = {
  /** Endpoints can be registered. */
  webhooks: "webhooks",
  /** The operator allows http:// in addition to https://. */
  http: "webhooks-http",
  /** The operator allows non-public addresses; the service does not disclose which. */
  local: "webhooks-local",
} as const;
