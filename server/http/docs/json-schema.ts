/** Converts the contract's schemas into JSON Schema, with references to named schemas. */
import * as z from "zod/mini";
import * as access from "../../../contract/access-records.ts";
import * as agentActions from "../../../contract/agent-action-records.ts";
import * as agentSubscriptions from "../../../contract/agent-subscription-records.ts";
import * as agentTasks from "../../../contract/agent-task-records.ts";
import * as comments from "../../../contract/comment-records.ts";
import * as delivery from "../../../contract/delivery-records.ts";
import * as events from "../../../contract/events.ts";
import * as files from "../../../contract/file-records.ts";
import * as notifications from "../../../contract/notification-records.ts";
import * as oauth from "../../../contract/oauth-records.ts";
import * as knowledge from "../../../contract/knowledge-records.ts";
import * as playlists from "../../../contract/playlist-records.ts";
import * as records from "../../../contract/records.ts";
import * as search from "../../../contract/search-records.ts";
import * as tasks from "../../../contract/task-records.ts";
import { idInPath } from "../../../contract/text.ts";
import * as webhooks from "../../../contract/webhook-records.ts";

/** A JSON schema or any other part of the OpenAPI document. */
export type JsonSchema = { [member: string]: unknown };

/** Records that become named schemas in the document. */
const NAMED_SCHEMAS: Record<string, z.ZodMiniType> = {
  Message: records.message,
  Attachment: records.attachment,
  Reaction: records.reaction,
  Quote: records.quote,
  SharedComment: records.sharedComment,
  FileStatus: records.fileStatus,
  File: records.fileRecord,
  FileCommon: records.fileCommon,
  FileInfo: records.fileInfoResponse,
  FileEntry: files.fileEntry,
  FileVersion: records.fileVersion,
  StatusChange: records.statusChange,
  Peaks: records.peaksInfo,
  Comment: comments.comment,
  CommentsRead: comments.commentsRead,
  SearchResult: search.searchResult,
  SearchGroup: search.searchGroup,
  KnowledgeResult: knowledge.knowledgeResult,
  FilePage: knowledge.filePage,
  EventSubscription: agentSubscriptions.eventSubscription,
  AgentAction: agentActions.agentAction,
  UndoReport: agentActions.undoReport,
  AgentTask: agentTasks.agentTask,
  AgentTaskRun: agentTasks.agentTaskRun,
  DeliveryRules: delivery.deliveryRules,
  DeliveryCheck: delivery.deliveryCheck,
  Task: tasks.task,
  TaskTemplate: tasks.taskTemplate,
  Notification: notifications.notification,
  NotificationSettings: notifications.notificationSettings,
  ProjectNotificationSettings: notifications.projectNotificationSettings,
  Playlist: playlists.playlist,
  PlaylistItem: playlists.playlistItem,
  MessagePlaylist: records.messagePlaylist,
  Account: records.account,
  WorkingHours: records.workingHours,
  Member: records.member,
  Organisation: records.organisation,
  Team: records.team,
  Group: records.group,
  Project: records.project,
  ProjectMember: records.projectMember,
  ReadMarker: records.readMarker,
  MemberReadMarker: records.memberReadMarker,
  Invite: access.invite,
  InvitePreview: access.invitePreview,
  Session: access.session,
  DeviceSession: access.deviceSession,
  ApiToken: access.apiToken,
  TokenResponse: oauth.tokenResponse,
  ClientRegistration: oauth.clientRegistration,
  AuthServerMetadata: oauth.authServerMetadata,
  ProtectedResourceMetadata: oauth.protectedResourceMetadata,
  OAuthConsent: oauth.oauthConsent,
  OAuthGrant: oauth.oauthGrant,
  OAuthError: oauth.oauthError,
  Service: records.service,
  LiveEvent: events.liveEvent,
  WebhookEndpoint: webhooks.webhookEndpoint,
  Delivery: webhooks.delivery,
  DeliveryAttempt: webhooks.deliveryAttempt,
  Error: records.problem,
};

const schemaRegistry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(NAMED_SCHEMAS)) schemaRegistry.add(schema, { id });

/** Returns a function that converts a schema; the named schemas that it contains are added to `components`. */
export function createConverter(components: Record<string, JsonSchema>) {
  return (schema: z.ZodMiniType, io: "input" | "output"): JsonSchema => {
    const {
      $schema: _,
      $defs,
      ...converted
    } = z.toJSONSchema(schema, {
      io,
      metadata: schemaRegistry,
      unrepresentable: "any",
      override({ zodSchema, jsonSchema }) {
        // The fallback of a `catch` schema replaces invalid values; it is not a default.
        if (zodSchema._zod.def.type === "catch") delete jsonSchema.default;
        if ((zodSchema as unknown) === idInPath) Object.assign(jsonSchema, { type: "integer", minimum: 1, pattern: undefined });
        const { description, format, pattern, minLength, maxLength } = (z.globalRegistry.get(zodSchema) ?? {}) as JsonSchema;
        Object.assign(jsonSchema, JSON.parse(JSON.stringify({ description, format, pattern, minLength, maxLength })));
        delete jsonSchema.id;
        removeIntegerBounds(jsonSchema as JsonSchema);
      },
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    for (const [id, definition] of Object.entries($defs ?? {})) components[id] ??= liftReferences(definition);
    return liftReferences(converted);
  };
}

/** Removes the bounds of JavaScript's safe integers, which mean nothing to readers. */
function removeIntegerBounds(schema: JsonSchema): void {
  if (schema.type !== "integer") return;
  if (schema.exclusiveMinimum === 0) Object.assign(schema, { exclusiveMinimum: undefined, minimum: 1 });
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

/** Rewrites references to the schema's own `$defs` into references to `components`. */
const liftReferences = (schema: JsonSchema): JsonSchema => JSON.parse(JSON.stringify(schema).replaceAll("#/$defs/", "#/components/schemas/")) as JsonSchema;

export type Convert = ReturnType<typeof createConverter>;
