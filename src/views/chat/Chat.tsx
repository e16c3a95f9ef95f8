import { CalendarDays } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import type { Message, Project } from "../../../contract/records.ts";
import { HeaderActions } from "../../components/HeaderActions.tsx";
import { t } from "../../lib/texts/chat.ts";
import { usePeople } from "../../queries/members.ts";
import { useFindFirstMessageSince } from "../../queries/messages/use-message-history.ts";
import { useSession } from "../../queries/session.ts";
import { useEditing } from "../../sync/drafts/use-editing.ts";
import { useFollowOpenChat } from "../../sync/live/use-connection.ts";
import { useOutbox } from "../../sync/outbox/use-outbox.ts";
import { useSendVoice } from "../../sync/outbox/use-voice-messages.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { ChatContext, type ChatContextValue } from "./chat-context.ts";
import { ChatComposer, type ReplyTarget, useReplyTarget } from "./composer/ChatComposer.tsx";
import { TypingIndicator } from "./composer/TypingIndicator.tsx";
import { DropOverlay, useChatFiles } from "./composer/use-chat-files.tsx";
import { type Overlay, useMessageActions } from "./message/use-message-actions.ts";
import { BackChip, ChatNotice, JumpToLatest, Overlays, useNotice } from "./Overlays.tsx";
import { ChatTimeline } from "./timeline/ChatTimeline.tsx";
import { useAnnouncements } from "./timeline/use-announcements.ts";
import { useChatLocation } from "./timeline/use-chat-location.ts";
import { useReadState } from "./timeline/use-read-state.ts";
import { useRows } from "./timeline/use-rows.ts";
import { useCancelPendingMessage } from "./voice/use-voice.tsx";
import { useVoiceNoteAutoplay } from "./voice/use-voice-note-autoplay.ts";
import { findSentRecordings } from "./voice/sent-recordings.ts";
import type { RecordedVoice } from "./voice/use-voice.tsx";

interface Props {
  project: Project;
  messageId: number | null;
}

/** Renders a project's chat: timeline, composer and overlays. */
export function Chat({ project, messageId }: Props) {
  const { id: projectId, name: projectName } = project;
  const { id: accountId } = useSession().account;
  useFollowOpenChat(projectId);
  const { location, loadedWindow, history, isTargetMissing, goToMessage, jump, savePosition, goToEnd, goBack } = useChatLocation(project, messageId);
  const outbox = useOutbox(projectId);
  const { entries, retry } = outbox;
  const discard = useCancelPendingMessage();
  const { isAtEnd, onAtEnd, manualUnread, newestId, unreadAfter, isManuallyUnread } = useReadState(project, location, history);

  const composerRef = useRef<HTMLDivElement>(null);
  const focusComposer = useCallback(() => composerRef.current?.querySelector("textarea")?.focus(), []);
  const reply = useReplyTarget(projectId, history?.messages);
  const { set: setReply } = reply;
  const onReply = useCallback(
    (message: Message) => {
      setReply(message);
      focusComposer();
    },
    [setReply, focusComposer],
  );
  const { context, edits, notice, closeNotice, overlay, setOverlay } = useChatContextValue({
    projectId,
    accountId,
    onReply,
    onUnread: manualUnread.set,
    onJump: jump,
  });
  const { rows, readers } = useRows({ projectId, accountId, history, entries, edits, unreadAfter, isManuallyUnread });
  useAnnouncements({ messages: history?.messages, newestId, entries, accountId, personOf: context.personOf });
  const files = useChatFiles(accountId, projectId);
  const findFirstMessageSince = useFindFirstMessageSince(projectId);

  const editLastMessage = () => {
    const lastMessage = history?.hasMoreAfter ? undefined : history?.messages.findLast((message) => message.account_id === accountId && !message.deleted);
    if (lastMessage) context.actions.edit(lastMessage);
    return lastMessage !== undefined;
  };
  const { send, sendVoice } = useSending({
    projectId,
    accountId,
    outbox,
    reply,
    files,
    onSent() {
      manualUnread.resume();
      if (!isAtEnd) goToEnd();
    },
  });
  const ownSentRecordings = useMemo(() => findSentRecordings(entries, history?.messages, accountId), [entries, history?.messages, accountId]);
  useVoiceNoteAutoplay(history?.messages, accountId, context.nameOf);

  return (
    <ChatContext value={context}>
      <div className="relative flex h-full min-h-0 flex-col">
        {isTargetMissing && (
          <p role="status" className="border-b border-line px-5 py-2 text-sm text-text-2 max-tablet:px-3.5">
            {t("messageMissing")}
          </p>
        )}
        <div className="relative flex min-h-0 flex-1 flex-col">
          <ChatTimeline
            location={location}
            loadedWindow={loadedWindow}
            history={history}
            projectName={projectName}
            rows={rows}
            isDelayed={entries.some((entry) => entry.isDelayed)}
            edits={edits}
            readers={readers}
            onAtEnd={onAtEnd}
            onPositionChange={savePosition}
            onLeaveEnd={manualUnread.leaveEnd}
            onEscape={focusComposer}
            onRetry={retry}
            onDiscard={discard}
          />
          <div className="absolute right-5 bottom-3 flex gap-2 max-tablet:right-3.5">
            {goBack && <BackChip onBack={goBack} />}
            {history && rows.length > 0 && !isAtEnd && <JumpToLatest unreadCount={project.unread_count} onJump={goToEnd} />}
          </div>
          <ChatNotice notice={notice} onClose={closeNotice} />
        </div>
        <TypingIndicator projectId={projectId} />
        <div ref={composerRef}>
          <ChatComposer
            projectId={projectId}
            projectName={projectName}
            reply={reply}
            files={files}
            sentRecordings={ownSentRecordings}
            onEditLast={editLastMessage}
            onSend={send}
            onSendVoice={sendVoice}
          />
        </div>
        {files.isDragging && <DropOverlay projectName={projectName} disabledReason={files.disabledReason} />}
        <HeaderActions>
          <IconButton label={t("jumpToDate")} className="max-tablet:size-10" onClick={() => setOverlay({ kind: "days", at: new Date().toISOString() })}>
            <CalendarDays size={18} aria-hidden />
          </IconButton>
        </HeaderActions>
        <Overlays
          overlay={overlay}
          getLatest={(message) => history?.messages.find(({ id }) => id === message.id) ?? message}
          findFirstMessageSince={findFirstMessageSince}
          onMessageFound={goToMessage}
          onClose={() => setOverlay(null)}
        />
      </div>
    </ChatContext>
  );
}

interface SendingInput {
  projectId: number;
  accountId: number;
  outbox: ReturnType<typeof useOutbox>;
  reply: ReplyTarget;
  files: ReturnType<typeof useChatFiles>;
  onSent(): void;
}

/** Sends text with its files and voice notes as new messages or as replies. */
function useSending({ projectId, accountId, outbox, reply, files, onSent }: SendingInput) {
  const enqueueVoice = useSendVoice();
  const finishSending = () => {
    reply.clear();
    onSent();
  };
  return {
    /** Resolves once the message is persisted. */
    send(body: string) {
      const { clientId } = outbox.add({ projectId, accountId, body, uploads: files.uploads.map(({ id }) => id), quote: reply.quote });
      files.clearRejection();
      finishSending();
      return outbox.whenStored(clientId);
    },
    sendVoice(recording: RecordedVoice) {
      const storePromise = enqueueVoice({ ...recording, projectId, accountId, quote: reply.quote });
      finishSending();
      return storePromise;
    },
  };
}

interface ChatContextInput {
  projectId: number;
  accountId: number;
  onReply(message: Message): void;
  /** Marks messages as unread from this one on; null reverts that. */
  onUnread(messageId: number | null): void;
  onJump(messageId: number, from: number): void;
}

/** Builds the chat's context value, and manages its edits, notices and overlays. */
function useChatContextValue({ projectId, accountId, onReply, onUnread, onJump }: ChatContextInput) {
  const personOf = usePeople(projectId);
  const nameOf = useCallback((id: number) => personOf(id)?.name ?? t("formerMember"), [personOf]);
  const { role } = useSession();
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
    (): ChatContextValue => ({ accountId, role, personOf, nameOf, actions, expandedMessages }),
    [accountId, role, personOf, nameOf, actions, expandedMessages],
  );
  return { context, edits: editing.edits, notice, closeNotice: close, overlay, setOverlay };
}
