import { useCallback, useState } from "react";
import type { Project } from "../../../../contract/records.ts";
import type { History } from "../../../queries/messages/history.ts";
import { useReadMarker } from "../../../queries/messages/use-read-marker.ts";
import type { Visit } from "../model/opening.ts";
import { useAttentive } from "./use-attentive.ts";
import { useUnreadHold } from "./use-unread-hold.ts";
import { useUnreadLine } from "./use-unread-line.ts";

/** How far one has read, which is told to the service, and where the unread line stands. */
export function useReading(project: Project, { anchor, unreadAfter: opened }: Visit, history: History | undefined) {
  const attentive = useAttentive();
  // Of the stretch that is shown: another one begins away from its end.
  const [end, setEnd] = useState({ anchor, at: false });
  const atEnd = end.anchor === anchor && end.at;
  const onAtEnd = useCallback((at: boolean) => setEnd({ anchor, at }), [anchor]);

  const newestId = history && !history.hasMoreAfter ? (history.messages.at(-1)?.id ?? null) : null;
  const hold = useUnreadHold(atEnd);
  const line = useUnreadLine({ opened, newestId, lastReadId: project.last_read_message_id, attentive });
  useReadMarker(project.id, project.last_read_message_id, attentive && atEnd && !hold.holding ? newestId : null);
  return {
    atEnd,
    onAtEnd,
    hold,
    /** Newest message of the chat; null while its end is not loaded. */
    newestId,
    unreadAfter: hold.from === null ? line : hold.from - 1,
    unreadByHand: hold.from !== null,
  };
}
