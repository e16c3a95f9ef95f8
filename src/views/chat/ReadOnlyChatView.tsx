import { useMemo, useRef, useState } from "react";
import { useParams } from "react-router";
import { parseId, ReadOnlyError, ReadOnlyTitle } from "../../components/ReadOnly.tsx";
import { t } from "../../lib/texts/read-only.ts";
import { useAgentIds } from "../../queries/agents/agent-accounts.ts";
import { describeReadError } from "../../queries/describe-error.ts";
import { personOfAccount } from "../../queries/members.ts";
import { useNewestMessages } from "../../queries/messages/newest-messages.ts";
import { useRecordRecent } from "../../sync/device-records.ts";
import type { Edit } from "../../sync/drafts/use-editing.ts";
import { Button } from "../../ui/Button.tsx";
import { useStableFunctions } from "../../ui/use-stable-functions.ts";
import { ChatContext } from "./chat-context.ts";
import { BackChip, JumpToLatest } from "./Overlays.tsx";
import { ChatTimeline } from "./timeline/ChatTimeline.tsx";
import { useAnnouncements } from "./timeline/use-announcements.ts";
import { parseMessageId, useChatLocation } from "./timeline/use-chat-location.ts";
import { buildRows } from "./timeline/rows.ts";
import { useVoiceNoteAutoplay } from "./voice/use-voice-note-autoplay.ts";

const NO_ENTRIES: [] = [];
const NO_EDITS: ReadonlyMap<number, Edit> = new Map();
const NO_READERS: ReadonlyMap<number, readonly number[]> = new Map();
const nameOf = (accountId: number) => personOfAccount(accountId).name;

/** Renders `/projects/:projectId/chat/:messageId?` of a service that offers only reading the newest messages. */
export function ReadOnlyChatView() {
  const { projectId: segment = "", messageId } = useParams();
  const projectId = parseId(segment);
  const title = t("chatOf", { id: segment });
  return (
    <div className="flex h-full min-h-0 flex-col">
      <ReadOnlyTitle text={title} />
      <header className="flex h-14 shrink-0 items-center border-b border-line px-5 max-tablet:px-3.5">
        <h1 tabIndex={-1} className="truncate text-lg font-semibold">
          {title}
        </h1>
      </header>
      {projectId === null ? (
        <ReadOnlyError error={null} notFound={t("chatNotFound", { id: segment })} />
      ) : (
        <ReadOnlyChat key={projectId} projectId={projectId} messageId={parseMessageId(messageId)} />
      )}
    </div>
  );
}

function ReadOnlyChat({ projectId, messageId }: { projectId: number; messageId: number | null }) {
  const loadedWindow = useNewestMessages(projectId);
  const { unreadable, pollError } = loadedWindow;
  const project = useMemo(() => ({ id: projectId, unread_count: 0, last_read_message_id: null }), [projectId]);
  const { location, history, isTargetMissing, jump, savePosition, goToEnd, goBack } = useChatLocation(project, messageId, loadedWindow);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const container = useRef<HTMLDivElement>(null);
  const [expandedMessages] = useState(() => new Set<string>());
  const stable = useStableFunctions({ jump });
  const agentIds = useAgentIds();
  const context = useMemo(
    () => ({ user: null, jump: stable.jump, personOf: personOfAccount, nameOf, agentIds, expandedMessages }),
    [stable, agentIds, expandedMessages],
  );
  const messages = history?.messages;
  useRecordRecent(messages ? { kind: "chat", id: projectId, name: null } : null);
  const rows = useMemo(() => (history ? buildRows({ ...history, entries: NO_ENTRIES, unreadAfter: null, accountId: null }) : []), [history]);
  useAnnouncements({ messages, newestId: messages?.at(-1)?.id ?? null, entries: NO_ENTRIES, accountId: null, personOf: personOfAccount });
  useVoiceNoteAutoplay(messages, null, nameOf);
  const pollFailure = pollError && describeReadError(pollError, t("chatNotFound", { id: String(projectId) }));
  if (loadedWindow.error)
    return <ReadOnlyError error={loadedWindow.error} notFound={t("chatNotFound", { id: String(projectId) })} onRetry={() => void loadedWindow.reload()} />;
  return (
    <ChatContext value={context}>
      {isTargetMissing && <StatusLine>{t("messageNotLoaded")}</StatusLine>}
      {unreadable > 0 && <StatusLine>{t("unreadable", { count: unreadable })}</StatusLine>}
      <div ref={container} className="group/timeline relative flex min-h-0 flex-1 flex-col">
        <ChatTimeline
          location={location}
          loadedWindow={loadedWindow}
          history={history}
          projectId={projectId}
          projectName={t("chat", { id: String(projectId) })}
          beginning={t("onlyNewest")}
          emptyHelp={t("noMessages")}
          rows={rows}
          isDelayed={false}
          edits={NO_EDITS}
          readers={NO_READERS}
          onAtEnd={setIsAtEnd}
          onPositionChange={savePosition}
          onLeaveEnd={() => {}}
          onEscape={() => container.current?.querySelector<HTMLElement>("[role=log]")?.focus()}
        />
        <div className="absolute right-5 bottom-3 flex gap-2 max-tablet:right-3.5">
          {goBack && <BackChip onBack={goBack} />}
          {rows.length > 0 && !isAtEnd && <JumpToLatest unreadCount={0} onJump={goToEnd} />}
        </div>
      </div>
      <footer className="shrink-0 border-t border-line px-5 py-3 text-sm text-text-2 max-tablet:px-3.5">
        {/* The shell shows that the token is refused. */}
        {pollFailure && pollFailure.remedy !== "token" && (
          <p role="status" className="mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-danger">
            {t("pollFailed", { reason: pollFailure.title })}
            <Button size="sm" onClick={() => void loadedWindow.reload()}>
              {t("retry")}
            </Button>
          </p>
        )}
        {t("noSending")}
      </footer>
    </ChatContext>
  );
}

function StatusLine({ children }: { children: string }) {
  return (
    <p role="status" className="border-b border-line px-5 py-2 text-sm text-text-2 max-tablet:px-3.5">
      {children}
    </p>
  );
}
