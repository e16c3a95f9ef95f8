/** What `GET /api/v2/service` names in `features`, so that a page can judge an address while it is typed. */
export const WEBHOOK_FEATURES = {
  /** Endpoints can be registered. */
  webhooks: "webhooks",
  /** The operator allows http:// beside https://. */
  http: "webhooks-http",
  /** The operator allows addresses that are not public; which ones is not told. */
  local: "webhooks-local",
} as const;
