import { CalendarDays } from "lucide-react";
import { useCallback, useMemo, useRef } from "react";
import type { Message, Project } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import { HeaderActions } from "../../../parts/head-tools/HeadTools.tsx";
import { findSentRecordings } from "../../../parts/voice/held-voices.ts";
import { useDiscard } from "../../../parts/voice/use-discard.ts";
import type { RecordedVoice } from "../../../parts/voice/use-voice.tsx";
import { useProjectTopic } from "../../../queries/live/connection.ts";
import { useFindFirstMessageSince } from "../../../queries/messages/use-change-messages.ts";
import { useOutbox } from "../../../queries/outbox/use-outbox.ts";
import { useSendVoice } from "../../../queries/outbox/use-send-voice.ts";
import { useSession } from "../../../queries/session/use-session.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { BackChip } from "./BackChip.tsx";
import { ChatComposer } from "./ChatComposer.tsx";
import { ChatNotice } from "./ChatNotice.tsx";
import { ChatContext } from "./chat-room.ts";
import { ChatTimeline } from "./ChatTimeline.tsx";
import { DropOverlay } from "./DropOverlay.tsx";
import { JumpToLatest } from "./JumpToLatest.tsx";
import { Overlays } from "./Overlays.tsx";
import { TypingIndicator } from "./TypingLine.tsx";
import { useAnnouncements } from "./use-announcements.ts";
import { useChatFiles } from "./use-chat-files.ts";
import { useVoiceNoteAutoplay } from "./use-play-on.ts";
import { useReadState } from "./use-reading.ts";
import { useReplyTarget } from "./use-reply-target.ts";
import { useChatContextValue } from "./use-room.ts";
import { useRows } from "./use-rows.ts";
import { useChatLocation } from "./use-visit.ts";

interface Props {
  project: Project;
  messageId: number | null;
}

export function Chat({ project, messageId }: Props) {
  const { id: projectId, name: projectName } = project;
  const { id: accountId } = useSession().account;
  useProjectTopic(projectId);
  const { location, loadedWindow, history, missing, goToMessage, jump, savePosition, goToEnd, goBack } = useChatLocation(project, messageId);
  const { entries, add, whenStored, retry } = useOutbox(projectId);
  const discard = useDiscard();
  const { atEnd, onAtEnd, manualUnread, newestId, unreadAfter, isManuallyUnread } = useReadState(project, location, history);

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
  const findDay = useFindFirstMessageSince(projectId);

  const editLastMessage = () => {
    const lastMessage = history?.hasMoreAfter ? undefined : history?.messages.findLast((message) => message.account_id === accountId && !message.deleted);
    if (lastMessage) context.actions.edit(lastMessage);
    return lastMessage !== undefined;
  };
  const onSent = () => {
    reply.clear();
    manualUnread.release();
    if (!atEnd) goToEnd();
  };
  const send = (body: string) => {
    const { clientId } = add({ projectId, accountId, body, uploads: files.uploads.map(({ id }) => id), quote: reply.quote });
    files.clearRejection();
    onSent();
    return whenStored(clientId);
  };
  const enqueueVoice = useSendVoice();
  const sendVoice = (recording: RecordedVoice) => {
    const storePromise = enqueueVoice({ ...recording, wasCanceled: recording.takenBack, projectId, accountId, quote: reply.quote });
    onSent();
    return storePromise;
  };
  const ownSentRecordings = useMemo(() => findSentRecordings(entries, history?.messages, accountId), [entries, history?.messages, accountId]);
  useVoiceNoteAutoplay(history?.messages, accountId, context.nameOf);

  return (
    <ChatContext value={context}>
      <div className="relative flex h-full min-h-0 flex-col">
        {missing && (
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
            delayed={entries.some((entry) => entry.delayed)}
            edits={edits}
            readers={readers}
            personOf={context.personOf}
            onAtEnd={onAtEnd}
            onPositionChange={savePosition}
            onLeaveEnd={manualUnread.leaveEnd}
            onEscape={focusComposer}
            onRetry={retry}
            onDiscard={discard}
          />
          <div className="absolute right-5 bottom-3 flex gap-2 max-tablet:right-3.5">
            {goBack && <BackChip onBack={goBack} />}
            {history && rows.length > 0 && !atEnd && <JumpToLatest unreadCount={project.unread_count} onJump={goToEnd} />}
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
        {files.dragging && <DropOverlay projectName={projectName} disabledReason={files.disabledReason} />}
        <HeaderActions>
          <IconButton label={t("jumpToDate")} className="max-tablet:size-10" onClick={() => setOverlay({ kind: "days", at: new Date().toISOString() })}>
            <CalendarDays size={18} aria-hidden />
          </IconButton>
        </HeaderActions>
        <Overlays
          overlay={overlay}
          context={context}
          getLatest={(message) => history?.messages.find(({ id }) => id === message.id) ?? message}
          findDay={findDay}
          onDay={goToMessage}
          onClose={() => setOverlay(null)}
        />
      </div>
    </ChatContext>
  );
}
