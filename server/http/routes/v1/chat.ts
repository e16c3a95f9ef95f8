import * as chat from "../../../../contract/operations/chat.ts";
import { presentMessage } from "../../../presenters/messages.ts";
import { list, one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function chatRoutes(serve: Serve, services: Services): void {
  serve(chat.chatHistory, async ({ actor, body }) => {
    const history = await services.chat.history(actor, {
      projectId: body.project_id,
      limit: body.limit,
      beforeId: body.before_id,
      afterId: body.after_id,
      aroundId: body.around_id,
      includeDeleted: body.include_deleted,
    });
    return list(history.messages.map(presentMessage), { has_more_before: history.moreBefore, has_more_after: history.moreAfter, seq: history.seq });
  });
  serve(chat.sendMessage, async ({ actor, body, repeat }) => {
    const wish = {
      projectId: body.project_id,
      body: body.body,
      parentId: body.parent_message_id ?? null,
      clientId: body.client_id ?? null,
      attachmentIds: body.attachment_ids ?? [],
      isAudioMessage: body.is_audio_message ?? false,
    };
    return one("message", presentMessage(await services.chat.send(actor, wish, repeat)));
  });
}
