import { useCallback, useMemo, useState } from "react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import { usePeople } from "../../../queries/members/use-people.ts";
import { useRights } from "../../../queries/session/use-rights.ts";
import type { ChatRoom } from "./chat-room.ts";
import { useEditing } from "../../../queries/drafts/use-editing.ts";
import { useMessageActions, type Open } from "./use-message-actions.ts";
import { useNotice } from "./use-notice.ts";

interface Input {
  projectId: number;
  accountId: number;
  onReply(message: Message): void;
  /** Unread from this message on; null: not after all. */
  onUnread(messageId: number | null): void;
  onJump(messageId: number, from: number): void;
}

/** Who is who in a chat and what may be done there, with what that opens and tells. */
export function useRoom({ projectId, accountId, onReply, onUnread, onJump }: Input) {
  const personOf = usePeople(projectId);
  const nameOf = useCallback((id: number) => personOf(id)?.name ?? t("formerMember"), [personOf]);
  const { manages } = useRights();
  const { notice, tell, close } = useNotice();
  const [open, setOpen] = useState<Open | null>(null);
  const editing = useEditing(`project.${projectId}`);
  const [unfolded] = useState(() => new Set<string>());
  const markedUnread = useCallback(
    (id: number | null) => {
      onUnread(id);
      if (id !== null) tell(t("markedUnread"));
    },
    [onUnread, tell],
  );
  const act = useMessageActions({ projectId, accountId, editing, nameOf, onReply, onOpen: setOpen, onTell: tell, onUnread: markedUnread, onJump });
  const room = useMemo((): ChatRoom => ({ accountId, manages, personOf, nameOf, act, unfolded }), [accountId, manages, personOf, nameOf, act, unfolded]);
  return { room, edits: editing.edits, notice, closeNotice: close, open, setOpen };
}
