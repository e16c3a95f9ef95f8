import { MessageSquare } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Project } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import { t as uploadText } from "../../../lib/messages/uploads.ts";
import { useFileDrop } from "../../../parts/uploads/use-file-drop.ts";
import { useProjectTopic } from "../../../queries/live/connection.ts";
import { usePeople } from "../../../queries/members/use-people.ts";
import { useDraft } from "../../../queries/drafts/use-draft.ts";
import { useMessageHistory } from "../../../queries/messages/use-message-history.ts";
import { useReadMarker } from "../../../queries/messages/use-read-marker.ts";
import { useOutbox } from "../../../queries/outbox/use-outbox.ts";
import { useSession } from "../../../queries/session/use-session.ts";
import { useUploadsOff } from "../../../queries/uploads/use-uploads-off.ts";
import { useTray } from "../../../queries/uploads/use-uploads.ts";
import { announce } from "../../../ui/announce.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { lacksMessage } from "../../../queries/messages/history.ts";
import { nextVisit, openingOf } from "../model/opening.ts";
import { buildRows } from "../model/rows.ts";
import { TimelineSkeleton } from "./ChatSkeleton.tsx";
import { Composer } from "./Composer.tsx";
import { DropOverlay } from "./DropOverlay.tsx";
import { JumpToLatest } from "./JumpToLatest.tsx";
import { LoadFailed } from "./LoadFailed.tsx";
import { Timeline } from "./Timeline.tsx";
import { useAnnouncements } from "./use-announcements.ts";
import { useAttentive } from "./use-attentive.ts";
import { useUnreadLine } from "./use-unread-line.ts";

interface Props {
  project: Project;
  messageId: number | null;
}

export function Chat({ project, messageId }: Props) {
  const { account } = useSession();
  const navigate = useNavigate();
  const address = useLocation().key;
  const [visit, setVisit] = useState(() => ({ ...openingOf(project, messageId), address }));
  const stretch = useMessageHistory(project.id, visit.anchor);
  const { history } = stretch;
  if (visit.address !== address) setVisit({ ...nextVisit(visit, history, messageId), address });

  useProjectTopic(project.id);
  const personOf = usePeople(project.id);
  const outbox = useOutbox(project.id);
  const [draft, setDraft] = useDraft(project.id);
  const attentive = useAttentive();
  const [atEnd, setAtEnd] = useState(false);

  const newestId = history && !history.hasMoreAfter ? (history.messages.at(-1)?.id ?? null) : null;
  const unreadAfter = useUnreadLine({ opened: visit.unreadAfter, newestId, lastReadId: project.last_read_message_id, attentive });
  useReadMarker(project.id, project.last_read_message_id, attentive && atEnd ? newestId : null);
  useAnnouncements({ messages: history?.messages, newestId, entries: outbox.entries, accountId: account.id, personOf });

  const { entries } = outbox;
  const rows = useMemo(
    () => (history ? buildRows({ ...history, entries, unreadAfter, accountId: account.id }) : []),
    [history, entries, unreadAfter, account.id],
  );

  const jump = () => {
    if (history?.hasMoreAfter && visit.anchor === "latest") stretch.restart();
    if (messageId !== null) void navigate(`/projects/${project.id}/chat`);
    else setVisit({ ...nextVisit(visit, history, null), address });
  };

  const tray = useTray(account.id, project.id);
  const off = useUploadsOff();
  const [refused, setRefused] = useState<string | null>(null);
  const addFiles = (files: readonly File[], folders = 0) => {
    setRefused(off ?? (folders > 0 ? uploadText("folderRefused") : null));
    if (files.length === 0 || off !== null) return;
    tray.add(files);
    announce(uploadText("addedSpoken", { count: files.length }));
  };
  const dragging = useFileDrop(({ files, folders }) => addFiles(files, folders));

  const send = (body: string) => {
    outbox.add({ projectId: project.id, accountId: account.id, body, uploads: tray.uploads.map(({ id }) => id), parentMessageId: null });
    setRefused(null);
    if (!atEnd) jump();
  };

  const missing = history !== undefined && visit.place.at === "message" && lacksMessage(history, visit.place.id);

  return (
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
            personOf={personOf}
            onOlder={stretch.loadOlder}
            onNewer={stretch.loadNewer}
            onTrim={stretch.trim}
            onAtEnd={setAtEnd}
            onRetry={outbox.retry}
            onDiscard={outbox.discard}
          />
        )}
        {history && rows.length > 0 && !atEnd && <JumpToLatest unread={project.unread_count} onJump={jump} />}
      </div>
      <Composer
        projectName={project.name}
        draft={draft}
        uploads={tray.uploads}
        refused={refused}
        filesOff={off}
        onDraft={setDraft}
        onFiles={addFiles}
        onSend={send}
      />
      {dragging && <DropOverlay projectName={project.name} off={off} />}
    </div>
  );
}
