/** Creates the modules of the service in their order (bin/import-rules/layers.ts). The command line and the delivery worker use them without HTTP. */
import { join } from "node:path";
import type { ModuleDeps } from "./access/deps.ts";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import { createEventLog } from "./events/log.ts";
import { createSignals } from "./events/signals.ts";
import { createQueue } from "./jobs/queue.ts";
import { systemClock, type Clock } from "./lib/clock.ts";
import { deriveKey } from "./lib/crypto.ts";
import { unauthorized } from "./lib/errors.ts";
import type { OnTokensWeakened } from "./modules/accounts/issued-access.ts";
import { createAccountsModule } from "./modules/accounts/module.ts";
import { createAgentActionsModule } from "./modules/agent-actions/module.ts";
import type { OnAgentDeleted } from "./modules/agents/agents.ts";
import { createAgentsModule } from "./modules/agents/module.ts";
import { createAgentSubscriptionsModule } from "./modules/agent-subscriptions/module.ts";
import { createAgentTasksModule } from "./modules/agent-tasks/module.ts";
import { createDeliveryRulesModule } from "./modules/delivery-rules/module.ts";
import { createCommentMessages } from "./modules/conversation/comment-messages.ts";
import { createConversationModule } from "./modules/conversation/module.ts";
import type { OpenApp } from "./modules/demo/create-demo.ts";
import type { StartDemo } from "./modules/demo/demos.ts";
import { createDemoModule } from "./modules/demo/module.ts";
import { createFavoritesModule } from "./modules/favorites/module.ts";
import type { FilesDeps } from "./modules/files/deps.ts";
import { createFilesModule } from "./modules/files/module.ts";
import { createFilePresenters } from "./modules/files/presenter.ts";
import { createKnowledgeModule } from "./modules/knowledge/module.ts";
import { createMetadataModule } from "./modules/metadata/module.ts";
import { createMailConfirmations } from "./modules/notification-delivery/confirmations.ts";
import { createEnqueue } from "./modules/notification-delivery/enqueue.ts";
import { createNotificationDeliveryDeps, createNotificationDeliveryModule } from "./modules/notification-delivery/module.ts";
import { createInviteNotifier } from "./modules/notifications/invite-notifications.ts";
import { publishUnreadOfProject } from "./modules/notifications/notify.ts";
import { createNotificationsModule } from "./modules/notifications/module.ts";
import { createOAuthModule } from "./modules/oauth/module.ts";
import { createPlaylistsModule } from "./modules/playlists/module.ts";
import { createProjectErasureModule } from "./modules/project-erasure/module.ts";
import { createProjectsModule } from "./modules/projects/module.ts";
import { createPageTexts } from "./modules/projects/page-texts.ts";
import { createFirstTeam } from "./modules/projects/teams.ts";
import { createSearchModule } from "./modules/search/module.ts";
import { createStatusesModule } from "./modules/statuses/module.ts";
import { addDefaultStatuses } from "./modules/statuses/statuses.ts";
import { createTasksModule } from "./modules/tasks/module.ts";
import { addDefaultTemplate } from "./modules/tasks/templates.ts";
import { pauseEndpointsOfEndedTokens } from "./modules/webhooks/ended-tokens.ts";
import { replaceStatusesOfProject } from "./modules/files/restored-statuses.ts";
import { resumeDeliveries } from "./modules/webhooks/deleted-projects.ts";
import { createWebhookDeps, createWebhooksModule, TEST_WAIT_MS } from "./modules/webhooks/module.ts";
import { createSquarePictures } from "./media/square-pictures.ts";
import type { MediaSandbox } from "./media/worker/sandbox.ts";
import { createChatModel } from "./models/chat-model.ts";
import { openLocalDisk, type LocalDiskOptions } from "./storage/local-disk.ts";
import { openS3 } from "./storage/s3/open-s3.ts";

export interface ModulesOptions {
  config: Config;
  database: Database;
  masterKey: Buffer;
  clock?: Clock;
  /** Replaces the look at the free disk space (tests). */
  readDiskSpace?: LocalDiskOptions["readDiskSpace"];
  /** How long a test event waits for the receiver's response (tests). */
  testWaitMs?: number;
  /** Replaces the creation of the demo in the background (tests). */
  startDemo?: StartDemo | undefined;
  /** Isolates the process that decodes pictures of accounts. It resolves to null where the system cannot isolate one. */
  sandbox?: Promise<MediaSandbox | null> | undefined;
  /** Opens another app over the same data, which creates the demo; only `buildApp` passes it. */
  openApp?: OpenApp | undefined;
  /** Validates every response, and builds each page that was kept once more (tests). */
  checkResponses?: boolean | undefined;
}

/** The command line and the worker register no routes, so nobody can start a demo there. */
const missingApp: OpenApp = () => Promise.reject(new Error("No app to create the demo with"));

export type Services = ReturnType<typeof createModules>["services"];

export function createModules({
  config,
  database,
  masterKey,
  clock = systemClock,
  readDiskSpace,
  testWaitMs = TEST_WAIT_MS,
  startDemo,
  sandbox = Promise.resolve(null),
  openApp = missingApp,
  checkResponses = false,
}: ModulesOptions) {
  const { publicUrl, maxUploadBytes, quotaBytes } = config;
  const folder = join(config.dataDir, "files");
  const localDisk = openLocalDisk(folder, { reserveBytes: config.diskReserveBytes, readDiskSpace });
  const events = createEventLog(database, clock);
  const onWebhookEvent: ModuleDeps["onWebhookEvent"] = (tx, type, data) => agentTasks.services.agentTaskTriggers.onEvent(tx, type, data);
  const baseDeps = { database, clock, publicUrl, events, signals: createSignals(database, events.origin), onWebhookEvent };
  const notificationDeliveryDeps = createNotificationDeliveryDeps({ deps: baseDeps, masterKey, guardOptions: config.webhooks, mail: config.mail });
  const mailConfirmations = createMailConfirmations(notificationDeliveryDeps);
  const notifications = createNotificationsModule(baseDeps, { onCreated: createEnqueue(notificationDeliveryDeps) });
  const viewDeps = {
    ...baseDeps,
    present: createFilePresenters(publicUrl),
    notify: notifications.services.notify,
    pageTexts: createPageTexts(baseDeps, checkResponses),
  };
  const deps: FilesDeps = {
    ...viewDeps,
    storage: config.s3 ? openS3(config.s3, localDisk) : localDisk,
    queue: createQueue(database),
    limits: { maxUploadBytes, quotaBytes },
    async reauthenticate(tx, actor) {
      const current = await accounts.services.authentication.reauthenticate(actor, tx);
      if (!current) throw unauthorized("Your session or token ended during the upload. Nothing was saved. Sign in and upload the file again.");
      return { ...current, address: actor.address, checkedRules: actor.checkedRules };
    },
    republishSharedComments: createCommentMessages(viewDeps).republish,
  };
  const webhookDeps = createWebhookDeps({ deps, masterKey, guardOptions: config.webhooks, testWaitMs });
  // Derived from the master key, so that every process and every restart accepts the same setup link until it is used.
  const setupToken = deriveKey(masterKey, "setup").toString("base64url");

  const onTokensWeakened: OnTokensWeakened = (tx) => pauseEndpointsOfEndedTokens(tx, webhookDeps);

  const accounts = createAccountsModule(
    { ...deps, writeSquares: createSquarePictures(sandbox) },
    {
      setupToken,
      async onOrganisationCreated(tx, organisation, owner) {
        const teamId = await createFirstTeam(tx, clock.now(), organisation, owner);
        await addDefaultStatuses(tx, teamId);
        await addDefaultTemplate(tx, clock.now(), teamId);
        await mailConfirmations.onAccountCreated(tx, owner.id);
      },
      onTokensWeakened,
      onEmailChanged: mailConfirmations.onEmailChanged,
    },
  );
  const oauth = createOAuthModule({ ...deps, onTokensWeakened, authentication: accounts.services.authentication });
  const notifyOfInvite = createInviteNotifier(notifications.services.notify);
  const projects = createProjectsModule(deps, {
    async onInviteAccepted(tx, invite, account) {
      await notifyOfInvite(tx, invite, account);
      await mailConfirmations.onAccountCreated(tx, account.id);
    },
    async onProjectHidden(tx, { actor, projectId, isHidden }) {
      await publishUnreadOfProject(tx, deps.events, projectId);
      if (isHidden) return;
      await replaceStatusesOfProject(tx, deps, actor, projectId);
      await resumeDeliveries(tx, clock.now(), projectId);
    },
  });
  const webhooks = createWebhooksModule(webhookDeps, config.webhooks);
  const files = createFilesModule(deps, {
    signing: { signingKey: deriveKey(masterKey, "media addresses"), loadUrlSigner: accounts.services.authentication.loadUrlSigner },
    folder,
  });
  const projectErasure = createProjectErasureModule(deps);
  const statuses = createStatusesModule(deps);
  const tasks = createTasksModule(deps);
  const conversation = createConversationModule(deps);
  const playlists = createPlaylistsModule(deps);
  const favorites = createFavoritesModule(deps);
  const metadata = createMetadataModule(deps, files.services);
  const search = createSearchModule(deps);
  const knowledge = createKnowledgeModule(deps, search.services.search);
  const deliveryRules = createDeliveryRulesModule(deps);
  const onAgentDeleted: OnAgentDeleted = async (tx, agentId) => {
    await agentSubscriptions.services.agentSubscriptions.endAllOf(tx, agentId);
    await agentTasks.services.agentTasks.removeAllOf(tx, agentId);
  };
  const agents = createAgentsModule({ ...deps, onTokensWeakened, onAgentDeleted });
  const agentTaskDeps = { ...deps, model: config.model && createChatModel(config.model, clock) };
  const agentTasks = createAgentTasksModule(agentTaskDeps);
  const agentSubscriptions = createAgentSubscriptionsModule(webhookDeps);
  const agentActions = createAgentActionsModule(deps, {
    ...conversation.services,
    ...tasks.services,
    ...files.services,
    ...statuses.services,
    ...playlists.services,
    ...metadata.services,
  });
  const notificationDelivery = createNotificationDeliveryModule(notificationDeliveryDeps);
  const demo = createDemoModule({ ...deps, onTokensWeakened, onAgentDeleted, ...projectErasure.services }, { config, masterKey, openApp, startDemo });

  const modules = [
    accounts,
    oauth,
    projects,
    notifications,
    webhooks,
    files,
    projectErasure,
    statuses,
    tasks,
    conversation,
    playlists,
    favorites,
    metadata,
    search,
    knowledge,
    deliveryRules,
    agents,
    agentTasks,
    agentSubscriptions,
    agentActions,
    notificationDelivery,
    demo,
  ];
  const services = {
    ...accounts.services,
    ...oauth.services,
    ...projects.services,
    ...notifications.services,
    ...webhooks.services,
    ...files.services,
    ...projectErasure.services,
    ...statuses.services,
    ...tasks.services,
    ...conversation.services,
    ...playlists.services,
    ...favorites.services,
    ...metadata.services,
    ...search.services,
    ...knowledge.services,
    ...deliveryRules.services,
    ...agents.services,
    ...agentTasks.services,
    ...agentSubscriptions.services,
    ...agentActions.services,
    ...notificationDelivery.services,
    ...demo.services,
  };
  return { modules, services, deps, agentTaskDeps, webhookDeps, notificationDeliveryDeps, setupToken };
}
