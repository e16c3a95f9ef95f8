import * as chat from "../../../../contract/operations/chat.ts";
import { presentMessage } from "../../../presenters/messages.ts";
import { list, record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function chatRoutes(route: Route, services: Services): void {
  route(chat.chatHistory, async ({ actor, body }) => {
    const history = await services.chat.history(actor, {
      projectId: body.project_id,
      limit: body.limit,
      beforeId: body.before_id,
      afterId: body.after_id,
      aroundId: body.around_id,
      includeDeleted: body.include_deleted,
    });
    return list(history.messages.map(presentMessage), { has_more_before: history.hasMoreBefore, has_more_after: history.hasMoreAfter, seq: history.seq });
  });
  route(chat.sendMessage, async ({ actor, body, idempotencyKey }) => {
    const input = {
      projectId: body.project_id,
      body: body.body,
      parentId: body.parent_message_id ?? null,
      clientId: body.client_id ?? null,
      attachmentIds: body.attachment_ids ?? [],
      isAudioMessage: body.is_audio_message ?? false,
    };
    return record("message", presentMessage(await services.chat.send(actor, input, idempotencyKey)));
  });
}
