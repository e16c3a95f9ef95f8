/** Creates the domain services with their shared dependencies. The command line uses them without HTTP. */
import { join } from "node:path";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import type { Tx } from "./db/schema.ts";
import { createEventLog } from "./events/log.ts";
import { createSignals } from "./events/signals.ts";
import { createQueue } from "./jobs/queue.ts";
import type { Clock } from "./lib/clock.ts";
import { deriveKey } from "./lib/crypto.ts";
import { createTokens } from "./modules/accounts/api-tokens.ts";
import { createAuthentication, createTickets } from "./modules/accounts/authentication.ts";
import { createMembers } from "./modules/accounts/members.ts";
import { createSessions } from "./modules/accounts/sessions.ts";
import { createSignIn } from "./modules/accounts/sign-in.ts";
import { createChatImport } from "./modules/conversation/chat-import.ts";
import { createChat } from "./modules/conversation/chat.ts";
import { createCommentChanges } from "./modules/conversation/comment-changes.ts";
import { createCommentReads } from "./modules/conversation/comment-reads.ts";
import { createComments } from "./modules/conversation/comments.ts";
import { createCommentMessages } from "./modules/conversation/create-message.ts";
import { createMessageChanges } from "./modules/conversation/message-changes.ts";
import { createChatSearch } from "./modules/conversation/message-search.ts";
import { createReadMarkers } from "./modules/conversation/read-markers.ts";
import { createDemos } from "./modules/demo/demos.ts";
import type { FilesDeps } from "./modules/files/deps.ts";
import { createFileServices } from "./modules/files/module.ts";
import { createFilePresenters } from "./modules/files/presenter.ts";
import { createStatusReplacing } from "./modules/files/status-replacement.ts";
import { createTagCorrections } from "./modules/files/tag-corrections.ts";
import { createInvites } from "./modules/projects/invites.ts";
import { createProjects } from "./modules/projects/projects.ts";
import { createTeams } from "./modules/projects/teams.ts";
import { createStatusChanges } from "./modules/statuses/manage-statuses.ts";
import { addDefaultStatuses, createStatuses } from "./modules/statuses/statuses.ts";
import { createTasks } from "./modules/tasks/tasks.ts";
import { addDefaultTemplate, createTaskTemplates } from "./modules/tasks/templates.ts";
import { createDeliveries } from "./modules/webhooks/deliveries.ts";
import type { WebhookDeps } from "./modules/webhooks/deps.ts";
import { createEndpoints } from "./modules/webhooks/endpoints.ts";
import { createWebhookDeps, TEST_WAIT_MS } from "./modules/webhooks/module.ts";
import type { Services } from "./services.ts";
import { openLocalDisk } from "./storage/local-disk.ts";

interface ServicesOptions {
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

/** Creates the review services: comments, and a team's file statuses. */
const createReviewServices = (deps: FilesDeps) => ({
  comments: createComments(deps),
  commentChanges: createCommentChanges({ ...deps, chat: createCommentMessages(deps) }),
  commentReads: createCommentReads(deps),
  statuses: createStatuses(deps),
  statusChanges: createStatusChanges({ ...deps, files: createStatusReplacing(deps) }),
  tagCorrections: createTagCorrections(deps),
});
