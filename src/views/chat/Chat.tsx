import { CalendarDays } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import type { Message, Project } from "../../../contract/records.ts";
import { useToggleFavorite } from "../../components/favorites/use-toggle-favorite.ts";
import { HeaderActions } from "../../components/HeaderActions.tsx";
import { useClient } from "../../client/client.ts";
import { t } from "../../lib/texts/chat.ts";
import { t as tReadOnly } from "../../lib/texts/read-only.ts";
import { messageItem } from "../../queries/favorites/listed-items.ts";
import { useAgentIds } from "../../queries/agents/agent-accounts.ts";
import { useFavoriteMessageIds } from "../../queries/favorites/use-favorites.ts";
import { usePeople } from "../../queries/members.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useCurrentUser } from "../../queries/permissions.ts";
import { useEditing } from "../../sync/drafts/use-editing.ts";
import { toEditableText } from "../../sync/drafts/draft-text.ts";
import { appendToDraft } from "../../sync/drafts/use-message-draft.ts";
import { useFollowOpenChat } from "../../sync/live/use-connection.ts";
import { useOutbox } from "../../sync/outbox/use-outbox.ts";
import { sendVoice as enqueueVoice } from "../../sync/outbox/use-voice-messages.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useStableFunctions } from "../../ui/use-stable-functions.ts";
import { ChatContext } from "./chat-context.ts";
import { COLUMN_CLASSES } from "./column.ts";
import { EmptyChatActions } from "./EmptyChatActions.tsx";
import { Composer } from "./composer/Composer.tsx";
import { usePlaylistAttachment } from "./composer/playlist-attachment.tsx";
import { useReplyTarget } from "./composer/reply.tsx";
import { TypingIndicator } from "./composer/TypingIndicator.tsx";
import { DropOverlay, useChatFiles } from "./composer/use-chat-files.tsx";
import { type Overlay, parseMentionIds, useMessageActions } from "./message/use-message-actions.ts";
import { BackChip, ChatNotice, JumpToLatest, Overlays, useNotice } from "./Overlays.tsx";
import { ChatTimeline } from "./timeline/ChatTimeline.tsx";
import { useAnnouncements } from "./timeline/use-announcements.ts";
import { useChatLocation } from "./timeline/use-chat-location.ts";
import { useReadState } from "./timeline/use-read-state.ts";
import { useRows } from "./timeline/use-rows.ts";
import { findSentRecordings } from "./voice/sent-recordings.ts";
import { useVoiceNoteAutoplay } from "./voice/use-voice-note-autoplay.ts";
import { type RecordedVoice, useCancelPendingMessage } from "./voice/use-voice.tsx";

export function Chat({ project, messageId }: { project: Project; messageId: number | null }) {
  const { id: projectId, name: projectName } = project;
  const currentUser = useCurrentUser();
  const { accountId, isArchived } = currentUser;
  const canWrite = useHasFeature("chat") && !isArchived;
  const hasMessageActions = useHasFeature("messages") && !isArchived;
  useFollowOpenChat(projectId);
  const { location, loadedWindow, history, isTargetMissing, goToMessage, jump, savePosition, goToEnd, goBack } = useChatLocation(project, messageId);
  const outbox = useOutbox(projectId);
  const { entries } = outbox;
  const client = useClient();
  const { isAtEnd, onAtEnd, manualUnread, newestId, unreadAfter, isManuallyUnread } = useReadState(project, location, history);
  const personOf = usePeople(projectId);
  const nameOf = useCallback((id: number) => personOf(id)?.name ?? t("formerMember"), [personOf]);
  const agentIds = useAgentIds();
  const discard = useCancelPendingMessage((body) =>
    appendToDraft(client.drafts.messages, accountId, projectId, toEditableText(body, parseMentionIds(body, personOf), nameOf)),
  );
  const { notice, notify, close: closeNotice } = useNotice();
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const editing = useEditing(`project.${projectId}`);
  const { edits } = editing;
  const [expandedMessages] = useState(() => new Set<string>());
  const composerRef = useRef<HTMLDivElement>(null);
  const focusComposer = () => composerRef.current?.querySelector("textarea")?.focus();
  const reply = useReplyTarget(projectId, history?.messages);
  const favoriteIds = useFavoriteMessageIds();
  const toggleFavorite = useToggleFavorite();
  const actions = useStableFunctions({
    ...useMessageActions({ projectId, accountId, editing, nameOf, onOpen: setOverlay, onNotify: notify, onUnread: manualUnread.set }),
    toggleFavorite: (message: Message) => toggleFavorite(messageItem(message, projectName, nameOf(message.account_id)), !favoriteIds?.has(message.id)),
    reply(message: Message) {
      reply.set(message);
      focusComposer();
    },
    jump,
    retry: outbox.retry,
    discard,
  });
  const context = useMemo(
    () => ({
      user: { ...currentUser, canReply: canWrite, hasMessageActions, favoriteIds, actions },
      jump: actions.jump,
      personOf,
      nameOf,
      agentIds,
      expandedMessages,
    }),
    [currentUser, canWrite, hasMessageActions, favoriteIds, personOf, nameOf, agentIds, actions, expandedMessages],
  );
  const { rows, readers } = useRows({ projectId, accountId, history, entries, edits, unreadAfter, isManuallyUnread });
  useAnnouncements({ messages: history?.messages, newestId, entries, accountId, personOf });
  const files = useChatFiles(accountId, projectId);
  const playlistAttachment = usePlaylistAttachment(projectId);
  const ownSentRecordings = useMemo(() => findSentRecordings(entries, history?.messages, accountId), [entries, history?.messages, accountId]);
  useVoiceNoteAutoplay(history?.messages, accountId, nameOf);

  const editLastMessage = () => {
    const lastMessage = history?.hasMoreAfter ? undefined : history?.messages.findLast((message) => message.account_id === accountId && !message.deleted);
    if (!lastMessage || !hasMessageActions) return false;
    actions.edit(lastMessage);
    return true;
  };
  const finishSending = () => {
    reply.clear();
    manualUnread.resume();
    if (!isAtEnd) goToEnd();
  };
  const send = (body: string) => {
    const { clientId } = outbox.add({
      projectId,
      accountId,
      body,
      uploads: files.uploads.map(({ id }) => id),
      playlist: playlistAttachment.isMissing ? null : playlistAttachment.attached,
      quote: reply.quote,
    });
    files.clearRejection();
    finishSending();
    return outbox.whenStored(clientId);
  };
  const sendVoice = (recording: RecordedVoice) => {
    const storePromise = enqueueVoice(client, { ...recording, projectId, accountId, quote: reply.quote });
    finishSending();
    return storePromise;
  };

  return (
    <ChatContext value={context}>
      <div className="relative flex h-full min-h-0 flex-col">
        {isTargetMissing && (
          <p role="status" className="border-b border-line px-5 py-2 text-sm text-text-2 max-tablet:px-3.5">
            {t("messageMissing")}
          </p>
        )}
        <div className="group/timeline relative flex min-h-0 flex-1 flex-col">
          <ChatTimeline
            location={location}
            loadedWindow={loadedWindow}
            history={history}
            projectId={projectId}
            projectName={projectName}
            rows={rows}
            isDelayed={entries.some((entry) => entry.isDelayed)}
            edits={edits}
            readers={readers}
            emptyActions={!isArchived && <EmptyChatActions projectId={projectId} files={files} />}
            {...(isArchived && { emptyHelp: t("archived") })}
            onAtEnd={onAtEnd}
            onPositionChange={savePosition}
            onLeaveEnd={manualUnread.leaveEnd}
            openMessageId={overlay && "message" in overlay ? overlay.message.id : undefined}
            onEscape={focusComposer}
          />
          {/* On a phone, the chips would cover the buttons of the edit form that has the focus. */}
          <div className="absolute right-[max(20px,calc((100%-920px)/2))] bottom-3 flex gap-2 max-tablet:right-3.5 max-tablet:group-has-[form:focus-within]/timeline:hidden">
            {goBack && <BackChip onBack={goBack} />}
            {history && rows.length > 0 && !isAtEnd && <JumpToLatest unreadCount={project.unread_count} onJump={goToEnd} />}
          </div>
          <ChatNotice notice={notice} onClose={closeNotice} />
        </div>
        <div className={COLUMN_CLASSES}>
          <TypingIndicator projectId={projectId} />
        </div>
        {canWrite ? (
          <div ref={composerRef} className={COLUMN_CLASSES}>
            <Composer
              projectId={projectId}
              projectName={projectName}
              reply={reply}
              files={files}
              playlist={playlistAttachment}
              sentRecordings={ownSentRecordings}
              onEditLast={editLastMessage}
              onSend={send}
              onSendVoice={sendVoice}
            />
          </div>
        ) : (
          <p className="shrink-0 border-t border-line px-5 py-3 text-sm text-text-2 max-tablet:px-3.5">{isArchived ? t("archived") : tReadOnly("noSending")}</p>
        )}
        {files.isDragging && <DropOverlay projectName={projectName} disabledReason={files.disabledReason} />}
        {(hasMessageActions || isArchived) && (
          <HeaderActions>
            <IconButton
              label={t("jumpToDate")}
              icon={CalendarDays}
              className="max-tablet:size-10"
              onClick={() => setOverlay({ kind: "days", at: new Date().toISOString() })}
            />
          </HeaderActions>
        )}
        <Overlays
          overlay={overlay}
          projectId={projectId}
          getLatest={(message) => history?.messages.find(({ id }) => id === message.id) ?? message}
          onMessageFound={goToMessage}
          onClose={() => setOverlay(null)}
        />
      </div>
    </ChatContext>
  );
}
