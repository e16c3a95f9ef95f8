import * as messages from "../../../../contract/operations/messages.ts";
import { presentMessage } from "../../../presenters/messages.ts";
import type { MessagePlace } from "../../../domain/chat/changes.ts";
import type { SentMessage } from "../../../domain/chat/sent.ts";
import { one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

const present = (sent: SentMessage) => one("message", presentMessage(sent));
const placeOf = (params: { project_id: number; message_id: number }): MessagePlace => ({ projectId: params.project_id, messageId: params.message_id });

export function messageRoutes(serve: Serve, { chat, messageChanges }: Services): void {
  serve(messages.editMessage, async ({ actor, params, body }) => present(await messageChanges.edit(actor, placeOf(params), body.body)));
  serve(messages.deleteMessage, async ({ actor, params }) => present(await messageChanges.remove(actor, placeOf(params))));
  serve(messages.restoreMessage, async ({ actor, params }) => present(await messageChanges.restore(actor, placeOf(params))));
  serve(messages.addReaction, async ({ actor, params }) => present(await messageChanges.react(actor, placeOf(params), params.emoji)));
  serve(messages.removeReaction, async ({ actor, params }) => present(await messageChanges.unreact(actor, placeOf(params), params.emoji)));
  serve(messages.firstMessage, async ({ actor, params, query }) => present(await chat.first(actor, params.project_id, Date.parse(query.since))));
}
