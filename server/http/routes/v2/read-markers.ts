import * as chat from "../../../../contract/operations/chat.ts";
import type { ReadState } from "../../../domain/chat/service.ts";
import { one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

const present = (state: ReadState) =>
  one("read_marker", { project_id: state.projectId, last_read_message_id: state.lastReadMessageId, unread_count: state.unreadCount });

export function readMarkerRoutes(serve: Serve, services: Services): void {
  serve(chat.getReadMarker, async ({ actor, params }) => present(await services.chat.readMarker(actor, params.project_id)));
  serve(chat.moveReadMarker, async ({ actor, params, body }) => present(await services.chat.moveReadMarker(actor, params.project_id, body.message_id)));
}
