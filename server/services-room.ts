/** Creates the domain services with their shared dependencies. The command line uses them without HTTP. */
import { join } from "node:path";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import type { Tx } from "./db/schema.ts";
import { createAuthentication } from "./domain/accounts/authenticate.ts";
import { createInvites } from "./domain/accounts/invites.ts";
import { createMembers } from "./domain/accounts/members.ts";
import { createSessions } from "./domain/accounts/sessions.ts";
import { createSignIn } from "./domain/accounts/sign-in.ts";
import { createTickets } from "./domain/accounts/tickets.ts";
import { createTokens } from "./domain/accounts/tokens.ts";
import { createMessageChanges } from "./domain/chat/changes.ts";
import { createCommentMessages } from "./domain/chat/comment-messages.ts";
import { createChatImport } from "./domain/chat/import.ts";
import { createReadMarkers } from "./domain/chat/read-markers.ts";
import { createChatSearch } from "./domain/chat/search.ts";
import { createChat } from "./domain/chat/service.ts";
import { createDemos } from "./domain/demo/service.ts";
import type { FilesDeps } from "./domain/files/deps.ts";
import { createProjects } from "./domain/projects/service.ts";
import { addDefaultStatuses } from "./domain/statuses/service.ts";
import { createTasks } from "./domain/tasks/service.ts";
import { addDefaultTemplate, createTaskTemplates } from "./domain/tasks/templates.ts";
import { createTeams } from "./domain/teams/service.ts";
import { createDeliveries } from "./domain/webhooks/deliveries.ts";
import type { WebhookDeps } from "./domain/webhooks/deps.ts";
import { createEndpoints } from "./domain/webhooks/endpoints.ts";
import { createEventLog } from "./events/log.ts";
import { createSignals } from "./events/words.ts";
import { createFileServices } from "./files-room.ts";
import type { Services } from "./http/services.ts";
import { createQueue } from "./jobs/queue.ts";
import type { Clock } from "./lib/clock.ts";
import { deriveKey } from "./lib/secrets.ts";
import { createFilePresenters } from "./presenters/files.ts";
import { createReviewServices } from "./review-room.ts";
import { openLocalDisk } from "./storage/local-disk.ts";
import { createWebhookDeps, TEST_WAIT_MS } from "./webhook-room.ts";

export interface ServicesOptions {
  masterKey: Buffer;
  database: Database;
  clock: Clock;
  config: Pick<Config, "publicUrl" | "dataDir" | "uploadBytes" | "organisationBytes" | "webhooks">;
  testWaitMs?: number;
}

export function createServices({
  database,
  clock,
  config,
  masterKey,
  testWaitMs = TEST_WAIT_MS,
}: ServicesOptions): Services & { deps: FilesDeps; webhookDeps: WebhookDeps } {
  const { publicUrl } = config;
  const events = createEventLog(database, clock);
  const common = {
    database,
    clock,
    publicUrl,
    events,
    signals: createSignals(database, events.origin),
    present: createFilePresenters(publicUrl),
  };
  const deps: FilesDeps = {
    ...common,
    republishSharedComments: createCommentMessages(common).republish,
    storage: openLocalDisk(join(config.dataDir, "files")),
    queue: createQueue(database),
    limits: { uploadBytes: config.uploadBytes, organisationBytes: config.organisationBytes },
  };
  const tasks = createTasks(deps);
  const onTeamCreated = async (tx: Tx, teamId: number) => {
    await addDefaultStatuses(tx, teamId);
    await addDefaultTemplate(tx, clock.now(), teamId);
  };
  const webhookDeps = createWebhookDeps({ deps, masterKey, guardOptions: config.webhooks, testWaitMs });
  return {
    deps,
    tasks,
    taskTemplates: createTaskTemplates(deps, tasks),
    webhookDeps,
    authentication: createAuthentication(deps),
    signIn: createSignIn(deps, { setupToken: deriveSetupToken(masterKey), onTeamCreated }),
    sessions: createSessions(deps),
    tokens: createTokens(deps),
    invites: createInvites(deps),
    members: createMembers(deps),
    tickets: createTickets(deps),
    teams: createTeams(deps),
    projects: createProjects(deps),
    chat: createChat(deps),
    messageChanges: createMessageChanges(deps),
    readMarkers: createReadMarkers(deps),
    chatSearch: createChatSearch(deps),
    chatImport: createChatImport(deps),
    ...createReviewServices(deps),
    ...createFileServices(deps, deriveKey(masterKey, "media addresses")),
    webhookEndpoints: createEndpoints(webhookDeps),
    deliveries: createDeliveries(webhookDeps),
    demos: createDemos(deps),
  };
}

/** Derived from the master key, so that every process and every restart accepts the same setup link until it is used. */
export const deriveSetupToken = (masterKey: Buffer): string => deriveKey(masterKey, "setup").toString("base64url");
