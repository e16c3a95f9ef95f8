import * as chat from "../../../../contract/operations/chat.ts";
import * as messages from "../../../../contract/operations/messages.ts";
import { presentReaderMark } from "../../../presenters/records.ts";
import type { ReadState } from "../../../domain/chat/read-markers.ts";
import { list, record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

const presentReadState = (state: ReadState) =>
  record("read_marker", {
    project_id: state.projectId,
    last_read_message_id: state.lastReadMessageId,
    unread_count: state.unreadCount,
    mention_count: state.mentionCount,
  });

export function readMarkerRoutes(route: Route, { readMarkers }: Services): void {
  route(chat.getReadMarker, async ({ actor, params }) => presentReadState(await readMarkers.getReadMarker(actor, params.project_id)));
  route(chat.moveReadMarker, async ({ actor, params, body }) => presentReadState(await readMarkers.moveReadMarker(actor, params.project_id, body.message_id)));
  route(messages.markUnread, async ({ actor, params, body }) => presentReadState(await readMarkers.markUnread(actor, params.project_id, body.message_id)));
  route(messages.listReaders, async ({ actor, params }) => list((await readMarkers.listReaders(actor, params.project_id)).map(presentReaderMark)));
}
