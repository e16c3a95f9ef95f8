import { useCallback, useMemo, useState } from "react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import { usePeople } from "../../../queries/members/use-people.ts";
import { usePermissions } from "../../../queries/session/use-rights.ts";
import type { ChatContextValue } from "./chat-room.ts";
import { useEditing } from "../../../queries/drafts/use-editing.ts";
import { useMessageActions, type Overlay } from "./use-message-actions.ts";
import { useNotice } from "./use-notice.ts";

interface Input {
  projectId: number;
  accountId: number;
  onReply(message: Message): void;
  /** Marks messages as unread from this one on; null reverts that. */
  onUnread(messageId: number | null): void;
  onJump(messageId: number, from: number): void;
}

/** Builds the chat's context value, and manages its edits, notices and overlays. */
export function useChatContextValue({ projectId, accountId, onReply, onUnread, onJump }: Input) {
  const personOf = usePeople(projectId);
  const nameOf = useCallback((id: number) => personOf(id)?.name ?? t("formerMember"), [personOf]);
  const { canManageMembers: canManage } = usePermissions();
  const { notice, notify, close } = useNotice();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const editing = useEditing(`project.${projectId}`);
  const [expandedMessages] = useState(() => new Set<string>());
  const handleUnread = useCallback(
    (id: number | null) => {
      onUnread(id);
      if (id !== null) notify(t("markedUnread"));
    },
    [onUnread, notify],
  );
  const actions = useMessageActions({ projectId, accountId, editing, nameOf, onReply, onOpen: setOverlay, onNotify: notify, onUnread: handleUnread, onJump });
  const context = useMemo(
    (): ChatContextValue => ({ accountId, canManage, personOf, nameOf, actions, expandedMessages }),
    [accountId, canManage, personOf, nameOf, actions, expandedMessages],
  );
  return { context, edits: editing.edits, notice, closeNotice: close, overlay, setOverlay };
}
