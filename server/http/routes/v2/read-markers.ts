import * as chat from "../../../../contract/operations/chat.ts";
import * as messages from "../../../../contract/operations/messages.ts";
import { presentReaderMark } from "../../../presenters/records.ts";
import type { ReadState } from "../../../domain/chat/read-markers.ts";
import { list, one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

const presentReadState = (state: ReadState) =>
  one("read_marker", {
    project_id: state.projectId,
    last_read_message_id: state.lastReadMessageId,
    unread_count: state.unreadCount,
    mention_count: state.mentionCount,
  });

export function readMarkerRoutes(serve: Serve, { readMarkers }: Services): void {
  serve(chat.getReadMarker, async ({ actor, params }) => presentReadState(await readMarkers.readMarker(actor, params.project_id)));
  serve(chat.moveReadMarker, async ({ actor, params, body }) => presentReadState(await readMarkers.moveReadMarker(actor, params.project_id, body.message_id)));
  serve(messages.markUnread, async ({ actor, params, body }) => presentReadState(await readMarkers.markUnread(actor, params.project_id, body.message_id)));
  serve(messages.listReaders, async ({ actor, params }) => list((await readMarkers.readers(actor, params.project_id)).map(presentReaderMark)));
}
