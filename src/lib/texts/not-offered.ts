import { defineTexts } from "./define-texts.ts";

/** Texts for features that the service lacks or that an access token cannot use. */
export const t = defineTexts({
  title: "Not available",
  help: "This service doesn't offer {feature}.",
  sessionHelp: "An access token can't manage {feature}. Sign in with your password instead.",
});

/** The features as the end of a sentence. */
export const tFeature = defineTexts({
  members: "member lists",
  chat: "sending messages",
  messages: "editing messages and reactions",
  "chat-search": "searching messages",
  search: "searching all projects",
  files: "file versions",
  "files-view": "folders",
  uploads: "uploads",
  processing: "repeating the analysis",
  comments: "comments",
  statuses: "file statuses",
  metadata: "metadata fields",
  "delivery-rules": "delivery rules",
  agents: "agents",
  "agent-tasks": "tasks of agents",
  tasks: "tasks",
  playlists: "playlists",
  notifications: "notifications",
  push: "push notifications",
  favorites: "favorites",
  webhooks: "webhooks",
  "api-tokens": "API tokens",
  sessions: "sessions",
  oauth: "connected apps",
  "audit-log": "an audit log",
  live: "live updates",
  accounts: "pictures and time zones of people",
});
export type NamedFeature = keyof typeof tFeature.texts;
