import { CalendarDays, MessageSquare } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Message, Project } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import { HeadTools } from "../../../parts/head-tools/HeadTools.tsx";
import { useProjectTopic, useWriting } from "../../../queries/live/connection.ts";
import { useMentionable, usePeople } from "../../../queries/members/use-people.ts";
import { keepDraftUntil } from "../../../queries/drafts/keep-until.ts";
import { useDraft } from "../../../queries/drafts/use-draft.ts";
import { useDeletedHere } from "../../../queries/messages/deleted-here.ts";
import { useFirstSince, useShown } from "../../../queries/messages/use-change-messages.ts";
import { useMessageHistory } from "../../../queries/messages/use-message-history.ts";
import { useReadMarker } from "../../../queries/messages/use-read-marker.ts";
import { useOutbox } from "../../../queries/outbox/use-outbox.ts";
import { useReaders } from "../../../queries/readers/use-readers.ts";
import { useRights } from "../../../queries/session/use-rights.ts";
import { useSession } from "../../../queries/session/use-session.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { lacksMessage } from "../../../queries/messages/history.ts";
import { nextVisit, openingOf } from "../model/opening.ts";
import { marksByMessage } from "../model/read-marks.ts";
import { buildRows } from "../model/rows.ts";
import { BackChip } from "./BackChip.tsx";
import { ChatNotice } from "./ChatNotice.tsx";
import { ChatRoomContext } from "./chat-room.ts";
import { TimelineSkeleton } from "./ChatSkeleton.tsx";
import { Composer } from "./Composer.tsx";
import { DropOverlay } from "./DropOverlay.tsx";
import { JumpToLatest } from "./JumpToLatest.tsx";
import { LoadFailed } from "./LoadFailed.tsx";
import { Overlays } from "./Overlays.tsx";
import { ReplyBar } from "./ReplyBar.tsx";
import { Timeline } from "./Timeline.tsx";
import { TypingLine } from "./TypingLine.tsx";
import { useAddress } from "./use-address.ts";
import { useAnnouncements } from "./use-announcements.ts";
import { useAttentive } from "./use-attentive.ts";
import { useChatFiles } from "./use-chat-files.ts";
import { useEditing } from "./use-editing.ts";
import { useMessageActions, type Open } from "./use-message-actions.ts";
import { useNotice } from "./use-notice.ts";
import { useReplyTarget } from "./use-reply-target.ts";
import { useUnreadHold } from "./use-unread-hold.ts";
import { useUnreadLine } from "./use-unread-line.ts";

interface Props {
  project: Project;
  messageId: number | null;
}

export function Chat({ project, messageId }: Props) {
  const { account } = useSession();
  const navigate = useNavigate();
  const { search, state: arrived } = useLocation();
  const address = useAddress();
  /** Where one read when one jumped away from an address of this chat. */
  const [stands] = useState(() => new Map<string, number>());
  const [visit, setVisit] = useState(() => ({ ...openingOf(project, messageId), address }));
  const stretch = useMessageHistory(project.id, visit.anchor);
  const history = useShown(stretch.history);
  if (visit.address !== address) setVisit({ ...nextVisit(visit, history, stands.get(address) ?? messageId), address });

  useProjectTopic(project.id);
  const personOf = usePeople(project.id);
  const people = useMentionable(project.id);
  const outbox = useOutbox(project.id);
  const [draft, setDraft] = useDraft(project.id);
  const attentive = useAttentive();
  // Of the stretch that is shown: another one begins away from its end.
  const { anchor } = visit;
  const [end, setEnd] = useState({ anchor, at: false });
  const atEnd = end.anchor === anchor && end.at;
  const onAtEnd = useCallback((at: boolean) => setEnd({ anchor, at }), [anchor]);

  const newestId = history && !history.hasMoreAfter ? (history.messages.at(-1)?.id ?? null) : null;
  const hold = useUnreadHold(atEnd);
  const line = useUnreadLine({ opened: visit.unreadAfter, newestId, lastReadId: project.last_read_message_id, attentive });
  const unreadAfter = hold.from === null ? line : hold.from - 1;
  useReadMarker(project.id, project.last_read_message_id, attentive && atEnd && !hold.holding ? newestId : null);
  useAnnouncements({ messages: history?.messages, newestId, entries: outbox.entries, accountId: account.id, personOf });

  const { entries } = outbox;
  const editing = useEditing(project.id);
  const { edits } = editing;
  const deletedHere = useDeletedHere();
  const unreadByHand = hold.from !== null;
  const editedIds = [...edits.keys()].join();
  const rows = useMemo(
    () => (history ? buildRows({ ...history, entries, unreadAfter, unreadByHand, accountId: account.id, deletedHere, edited: edits }) : []),
    // Which messages are edited counts, not what is typed into them.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [history, entries, unreadAfter, unreadByHand, account.id, deletedHere, editedIds],
  );
  const marks = useReaders(project.id);
  const readers = useMemo(
    () => marksByMessage(history?.messages ?? [], marks ?? [], { accountId: account.id, hasMoreAfter: history?.hasMoreAfter ?? false }),
    [history, marks, account.id],
  );

  const composer = useRef<HTMLDivElement>(null);
  const toComposer = useCallback(() => composer.current?.querySelector("textarea")?.focus(), []);
  const { notice, tell, close } = useNotice();
  const [open, setOpen] = useState<Open | null>(null);
  const { manages } = useRights();
  const nameOf = useCallback((id: number) => personOf(id)?.name ?? t("formerMember"), [personOf]);
  const findDay = useFirstSince(project.id);
  const here = useRef(address);
  useEffect(() => {
    here.current = address;
  });
  const go = useCallback((id: number) => void navigate(`/projects/${project.id}/chat/${id}${search}`), [navigate, project.id, search]);
  const onJump = useCallback(
    (id: number, from: number) => {
      stands.set(here.current, from);
      void navigate(`/projects/${project.id}/chat/${id}${search}`, { state: { jumped: true } });
    },
    [navigate, project.id, search, stands],
  );
  const { hold: holdUnread } = hold;
  const onUnread = useCallback(
    (id: number | null) => {
      holdUnread(id);
      if (id !== null) tell(t("markedUnread"));
    },
    [holdUnread, tell],
  );
  const reply = useReplyTarget(project.id, history?.messages);
  const { set: setReply } = reply;
  const onReply = useCallback(
    (message: Message) => {
      setReply(message);
      toComposer();
    },
    [setReply, toComposer],
  );
  const act = useMessageActions({ projectId: project.id, accountId: account.id, editing, nameOf, onReply, onOpen: setOpen, onTell: tell, onUnread, onJump });
  const room = useMemo(() => ({ accountId: account.id, manages, personOf, nameOf, act }), [account.id, manages, personOf, nameOf, act]);

  const jump = () => {
    if (history?.hasMoreAfter && visit.anchor === "latest") stretch.restart();
    if (messageId !== null) void navigate(`/projects/${project.id}/chat${search}`);
    else setVisit({ ...nextVisit(visit, history, null), address });
  };

  const { uploads, off, refused, add: addFiles, forgive, dragging } = useChatFiles(account.id, project.id);

  const writing = useWriting(project.id);
  const editLast = () => {
    const last = history?.hasMoreAfter ? undefined : history?.messages.findLast((one) => one.account_id === account.id && !one.deleted);
    if (last) act.edit(last);
    return last !== undefined;
  };
  const leaveReply = () => {
    reply.clear();
    return reply.quote !== null;
  };

  const send = (body: string) => {
    const { clientId } = outbox.add({ projectId: project.id, accountId: account.id, body, uploads: uploads.map(({ id }) => id), quote: reply.quote });
    setDraft("");
    reply.clear();
    keepDraftUntil(account.id, project.id, draft, outbox.stored(clientId));
    writing.done();
    forgive();
    hold.release();
    if (!atEnd) jump();
  };

  const missing = history !== undefined && visit.place.at === "message" && lacksMessage(history, visit.place.id);

  return (
    <ChatRoomContext value={room}>
      <div className="relative flex h-full min-h-0 flex-col">
        {missing && (
          <p role="status" className="border-b border-line px-5 py-2 text-sm text-text-2 max-tablet:px-3.5">
            {t("messageMissing")}
          </p>
        )}
        <div className="relative flex min-h-0 flex-1 flex-col">
          {!history && !stretch.error && <TimelineSkeleton className="min-h-0 flex-1" />}
          {stretch.error && <LoadFailed error={stretch.error} onRetry={() => void stretch.reload()} />}
          {history && rows.length === 0 && !history.hasMoreBefore && (
            <div className="flex flex-1 items-center justify-center">
              <EmptyState icon={<MessageSquare size={22} aria-hidden />} title={t("emptyTitle")}>
                {t("emptyHelp", { project: project.name })}
              </EmptyState>
            </div>
          )}
          {history && (rows.length > 0 || history.hasMoreBefore) && (
            <Timeline
              key={visit.anchor}
              projectName={project.name}
              rows={rows}
              place={visit.place}
              hasMoreBefore={history.hasMoreBefore}
              hasMoreAfter={history.hasMoreAfter}
              olderFailed={stretch.olderFailed}
              newerFailed={stretch.newerFailed}
              delayed={entries.some((entry) => entry.delayed)}
              edits={edits}
              readers={readers}
              personOf={personOf}
              onOlder={stretch.loadOlder}
              onNewer={stretch.loadNewer}
              onTrim={stretch.trim}
              onAtEnd={onAtEnd}
              onLeft={hold.left}
              onEscape={toComposer}
              onRetry={outbox.retry}
              onDiscard={outbox.discard}
            />
          )}
          <div className="absolute right-5 bottom-3 flex gap-2 max-tablet:right-3.5">
            {isJump(arrived) && <BackChip onBack={() => void navigate(-1)} />}
            {history && rows.length > 0 && !atEnd && <JumpToLatest unread={project.unread_count} onJump={jump} />}
          </div>
          <ChatNotice notice={notice} onClose={close} />
        </div>
        <TypingLine projectId={project.id} />
        <div ref={composer}>
          <Composer
            projectName={project.name}
            draft={draft}
            people={people}
            reply={reply.quote && <ReplyBar quote={reply.quote} nameOf={nameOf} onLeave={reply.clear} />}
            uploads={uploads}
            refused={refused}
            filesOff={off}
            onDraft={setDraft}
            onTyping={writing.note}
            onLeaveReply={leaveReply}
            onEditLast={editLast}
            onFiles={addFiles}
            onSend={send}
          />
        </div>
        {dragging && <DropOverlay projectName={project.name} off={off} />}
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

/** Who came by a quote can go back. */
const isJump = (state: unknown): boolean => typeof state === "object" && state !== null && "jumped" in state;
