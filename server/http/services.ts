/** The domain services that routes call. */
import type { createAuthentication } from "../domain/accounts/authenticate.ts";
import type { createInvites } from "../domain/accounts/invites.ts";
import type { createMembers } from "../domain/accounts/members.ts";
import type { createSessions } from "../domain/accounts/sessions.ts";
import type { createSignIn } from "../domain/accounts/sign-in.ts";
import type { createTickets } from "../domain/accounts/tickets.ts";
import type { createTokens } from "../domain/accounts/tokens.ts";
import type { createMessageChanges } from "../domain/chat/changes.ts";
import type { createReadMarkers } from "../domain/chat/read-markers.ts";
import type { createChat } from "../domain/chat/service.ts";
import type { createProjects } from "../domain/projects/service.ts";
import type { createStatuses } from "../domain/statuses/service.ts";
import type { createTasks } from "../domain/tasks/service.ts";
import type { createTaskTemplates } from "../domain/tasks/templates.ts";
import type { createTeams } from "../domain/teams/service.ts";
import type { createEntries } from "../domain/files/entries.ts";
import type { createResumable } from "../domain/files/resumable.ts";
import type { createFileStatuses } from "../domain/files/statuses.ts";
import type { createUploads } from "../domain/files/uploads.ts";
import type { createVersions } from "../domain/files/versions.ts";
import type { createDeliveries } from "../domain/webhooks/deliveries.ts";
import type { createEndpoints } from "../domain/webhooks/endpoints.ts";

export interface Services {
  authentication: ReturnType<typeof createAuthentication>;
  signIn: ReturnType<typeof createSignIn>;
  sessions: ReturnType<typeof createSessions>;
  tokens: ReturnType<typeof createTokens>;
  invites: ReturnType<typeof createInvites>;
  members: ReturnType<typeof createMembers>;
  tickets: ReturnType<typeof createTickets>;
  teams: ReturnType<typeof createTeams>;
  projects: ReturnType<typeof createProjects>;
  chat: ReturnType<typeof createChat>;
  messageChanges: ReturnType<typeof createMessageChanges>;
  readMarkers: ReturnType<typeof createReadMarkers>;
  statuses: ReturnType<typeof createStatuses>;
  entries: ReturnType<typeof createEntries>;
  uploads: ReturnType<typeof createUploads>;
  resumable: ReturnType<typeof createResumable>;
  fileStatuses: ReturnType<typeof createFileStatuses>;
  tasks: ReturnType<typeof createTasks>;
  taskTemplates: ReturnType<typeof createTaskTemplates>;
  versions: ReturnType<typeof createVersions>;
  webhookEndpoints: ReturnType<typeof createEndpoints>;
  deliveries: ReturnType<typeof createDeliveries>;
}
