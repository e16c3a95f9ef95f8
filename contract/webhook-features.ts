/** Names that `GET /api/v2/service` lists in `features`, so that a page can validate an endpoint URL while it is typed, and knows what endpoints can have. */
export const WEBHOOK_FEATURES = {
  /** Endpoints can be registered. */
  webhooks: "webhooks",
  /** `POST /api/v2/webhook-endpoints/check-url`: the service says whether an endpoint could have a URL. */
  checkUrl: "webhooks-check-url",
  /** `project_ids`: endpoints can be limited to projects. */
  projects: "webhooks-projects",
  /** The operator allows http:// in addition to https://. */
  http: "webhooks-http",
  /** The operator allows non-public addresses; the service does not disclose which. */
  local: "webhooks-local",
} as const;
