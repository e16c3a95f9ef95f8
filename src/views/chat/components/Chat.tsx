import { CalendarDays } from "lucide-react";
import { useCallback, useMemo, useRef } from "react";
import type { Message, Project } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import { HeadTools } from "../../../parts/head-tools/HeadTools.tsx";
import { heldVoices } from "../../../parts/voice/held-voices.ts";
import { useDiscard } from "../../../parts/voice/use-discard.ts";
import type { Recorded } from "../../../parts/voice/use-voice.tsx";
import { useProjectTopic } from "../../../queries/live/connection.ts";
import { useFirstSince } from "../../../queries/messages/use-change-messages.ts";
import { useOutbox } from "../../../queries/outbox/use-outbox.ts";
import { useSendVoice } from "../../../queries/outbox/use-send-voice.ts";
import { useSession } from "../../../queries/session/use-session.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { BackChip } from "./BackChip.tsx";
import { ChatComposer } from "./ChatComposer.tsx";
import { ChatNotice } from "./ChatNotice.tsx";
import { ChatRoomContext } from "./chat-room.ts";
import { ChatTimeline } from "./ChatTimeline.tsx";
import { DropOverlay } from "./DropOverlay.tsx";
import { JumpToLatest } from "./JumpToLatest.tsx";
import { Overlays } from "./Overlays.tsx";
import { TypingLine } from "./TypingLine.tsx";
import { useAnnouncements } from "./use-announcements.ts";
import { useChatFiles } from "./use-chat-files.ts";
import { usePlayOn } from "./use-play-on.ts";
import { useReading } from "./use-reading.ts";
import { useReplyTarget } from "./use-reply-target.ts";
import { useRoom } from "./use-room.ts";
import { useRows } from "./use-rows.ts";
import { useVisit } from "./use-visit.ts";

interface Props {
  project: Project;
  messageId: number | null;
}

export function Chat({ project, messageId }: Props) {
  const { id: projectId, name: projectName } = project;
  const { id: accountId } = useSession().account;
  useProjectTopic(projectId);
  const { visit, stretch, history, missing, go, jump, stand, toEnd, back } = useVisit(project, messageId);
  const { entries, add, stored, retry } = useOutbox(projectId);
  const discard = useDiscard();
  const { atEnd, onAtEnd, hold, newestId, unreadAfter, unreadByHand } = useReading(project, visit, history);

  const composer = useRef<HTMLDivElement>(null);
  const toComposer = useCallback(() => composer.current?.querySelector("textarea")?.focus(), []);
  const reply = useReplyTarget(projectId, history?.messages);
  const { set: setReply } = reply;
  const onReply = useCallback(
    (message: Message) => {
      setReply(message);
      toComposer();
    },
    [setReply, toComposer],
  );
  const { room, edits, notice, closeNotice, open, setOpen } = useRoom({ projectId, accountId, onReply, onUnread: hold.hold, onJump: jump });
  const { rows, readers } = useRows({ projectId, accountId, history, entries, edits, unreadAfter, unreadByHand });
  useAnnouncements({ messages: history?.messages, newestId, entries, accountId, personOf: room.personOf });
  const files = useChatFiles(accountId, projectId);
  const findDay = useFirstSince(projectId);

  const editLast = () => {
    const last = history?.hasMoreAfter ? undefined : history?.messages.findLast((one) => one.account_id === accountId && !one.deleted);
    if (last) room.act.edit(last);
    return last !== undefined;
  };
  const sent = () => {
    reply.clear();
    hold.release();
    if (!atEnd) toEnd();
  };
  const send = (body: string) => {
    const { clientId } = add({ projectId, accountId, body, uploads: files.uploads.map(({ id }) => id), quote: reply.quote });
    files.forgive();
    sent();
    return stored(clientId);
  };
  const voices = useSendVoice();
  const sendVoice = (recorded: Recorded) => {
    const kept = voices({ ...recorded, projectId, accountId, quote: reply.quote });
    sent();
    return kept;
  };
  const voicesHeld = useMemo(() => heldVoices(entries, history?.messages, accountId), [entries, history?.messages, accountId]);
  usePlayOn(history?.messages, accountId, room.nameOf);

  return (
    <ChatRoomContext value={room}>
      <div className="relative flex h-full min-h-0 flex-col">
        {missing && (
          <p role="status" className="border-b border-line px-5 py-2 text-sm text-text-2 max-tablet:px-3.5">
            {t("messageMissing")}
          </p>
        )}
        <div className="relative flex min-h-0 flex-1 flex-col">
          <ChatTimeline
            visit={visit}
            stretch={stretch}
            history={history}
            projectName={projectName}
            rows={rows}
            delayed={entries.some((entry) => entry.delayed)}
            edits={edits}
            readers={readers}
            personOf={room.personOf}
            onAtEnd={onAtEnd}
            onStand={stand}
            onLeft={hold.left}
            onEscape={toComposer}
            onRetry={retry}
            onDiscard={discard}
          />
          <div className="absolute right-5 bottom-3 flex gap-2 max-tablet:right-3.5">
            {back && <BackChip onBack={back} />}
            {history && rows.length > 0 && !atEnd && <JumpToLatest unread={project.unread_count} onJump={toEnd} />}
          </div>
          <ChatNotice notice={notice} onClose={closeNotice} />
        </div>
        <TypingLine projectId={projectId} />
        <div ref={composer}>
          <ChatComposer
            projectId={projectId}
            projectName={projectName}
            reply={reply}
            files={files}
            heldVoices={voicesHeld}
            onEditLast={editLast}
            onSend={send}
            onSendVoice={sendVoice}
          />
        </div>
        {files.dragging && <DropOverlay projectName={projectName} off={files.off} />}
        <HeadTools>
          <IconButton label={t("jumpToDate")} className="max-tablet:size-10" onClick={() => setOpen({ kind: "days", at: new Date().toISOString() })}>
            <CalendarDays size={18} aria-hidden />
          </IconButton>
        </HeadTools>
        <Overlays
          open={open}
          room={room}
          current={(message) => history?.messages.find(({ id }) => id === message.id) ?? message}
          findDay={findDay}
          onDay={go}
          onClose={() => setOpen(null)}
        />
      </div>
    </ChatRoomContext>
  );
}
