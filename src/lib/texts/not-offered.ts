import { defineTexts } from "./define-texts.ts";

/** What a page shows that the service, or an access token, has no use for. */
export const t = defineTexts({
  title: "Not available",
  help: "This service doesn't offer {feature}.",
  sessionHelp: "An access token can't manage {feature}. Sign in with your password instead.",

  "audit-log": "an audit log",
  "api-tokens": "API tokens",
  "files-view": "folders",
  members: "member lists",
  oauth: "connected apps",
  sessions: "sessions",
  statuses: "file statuses",
  tasks: "tasks",
  webhooks: "webhooks",
});
