import * as messages from "../../../../contract/operations/messages.ts";
import { presentMessage } from "../../../presenters/messages.ts";
import type { MessageRef } from "../../../domain/chat/changes.ts";
import type { MessageView } from "../../../domain/chat/sent.ts";
import { record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

const presentResponse = (message: MessageView) => record("message", presentMessage(message));
const toMessageRef = (params: { project_id: number; message_id: number }): MessageRef => ({ projectId: params.project_id, messageId: params.message_id });

export function messageRoutes(route: Route, { chat, messageChanges }: Services): void {
  route(messages.editMessage, async ({ actor, params, body }) => presentResponse(await messageChanges.edit(actor, toMessageRef(params), body.body)));
  route(messages.deleteMessage, async ({ actor, params }) => presentResponse(await messageChanges.remove(actor, toMessageRef(params))));
  route(messages.restoreMessage, async ({ actor, params }) => presentResponse(await messageChanges.restore(actor, toMessageRef(params))));
  route(messages.addReaction, async ({ actor, params }) => presentResponse(await messageChanges.react(actor, toMessageRef(params), params.emoji)));
  route(messages.removeReaction, async ({ actor, params }) => presentResponse(await messageChanges.unreact(actor, toMessageRef(params), params.emoji)));
  route(messages.firstMessage, async ({ actor, params, query }) =>
    presentResponse(await chat.findFirstSince(actor, params.project_id, Date.parse(query.since))),
  );
}
