import { CornerUpLeft, X } from "lucide-react";
import { useCallback, useMemo } from "react";
import type { Message, Quote } from "../../../../contract/records.ts";
import { t } from "../../../lib/texts/chat.ts";
import { useMentionable } from "../../../queries/members.ts";
import { toQuote } from "../../../queries/messages/history.ts";
import { useClient } from "../../../client/client.ts";
import { useDraft, useDraftReply } from "../../../sync/drafts/use-message-draft.ts";
import { useTypingSignal } from "../../../sync/live/use-connection.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { useChat } from "../chat-context.ts";
import { formatQuote } from "../message/QuoteLine.tsx";
import type { SentRecordings } from "../voice/sent-recordings.ts";
import { type RecordedVoice, useVoice } from "../voice/use-voice.tsx";
import { Composer } from "./Composer.tsx";
import type { useChatFiles } from "./use-chat-files.tsx";

interface ChatComposerProps {
  projectId: number;
  projectName: string;
  reply: ReplyTarget;
  files: ReturnType<typeof useChatFiles>;
  onEditLast(): boolean;
  /** Resolves once the message is persisted. */
  onSend(body: string): Promise<unknown>;
  /** Recordings that have already been sent as messages. */
  sentRecordings: SentRecordings;
  /** Resolves to true once the recording is persisted in the outbox and upload queue or stored by the service, so that its draft can be deleted. */
  onSendVoice(recording: RecordedVoice): Promise<boolean>;
}

/** Connects the composer to the project's draft and sends typing signals. */
export function ChatComposer({ projectId, projectName, reply, files, sentRecordings, onEditLast, onSend, onSendVoice }: ChatComposerProps) {
  const { accountId, nameOf } = useChat();
  const { drafts } = useClient();
  const [draft, setDraft] = useDraft(projectId);
  const people = useMentionable(projectId);
  const typingSignal = useTypingSignal(projectId);
  const voice = useVoice({ accountId, projectId, disabledReason: files.disabledReason, sentRecordings, onSend: onSendVoice });
  return (
    <Composer
      projectName={projectName}
      draft={draft}
      people={people}
      replyBar={reply.quote && <ReplyBar quote={reply.quote} nameOf={nameOf} onCancel={reply.clear} />}
      uploads={files.uploads}
      rejectionReason={files.rejectionReason}
      uploadsDisabledReason={files.disabledReason}
      voice={voice}
      onDraft={setDraft}
      onTyping={typingSignal.notify}
      onCancelReply={() => {
        reply.clear();
        return reply.quote !== null;
      }}
      onEditLast={onEditLast}
      onFiles={files.add}
      onSend={(body) => {
        const storePromise = onSend(body);
        drafts.messages.onSent(accountId, projectId, draft, storePromise);
        typingSignal.reset();
      }}
    />
  );
}

interface ReplyBarProps {
  quote: Quote;
  nameOf(accountId: number): string;
  onCancel(): void;
}

/** Shows the message that the draft replies to. */
function ReplyBar({ quote, nameOf, onCancel }: ReplyBarProps) {
  return (
    <div
      role="group"
      aria-label={t("replyingTo", { name: nameOf(quote.account_id) })}
      className="flex items-center gap-2 border-b border-line py-1 pr-2 pl-3.5 text-sm text-text-2 max-tablet:pl-5"
    >
      <CornerUpLeft size={15} aria-hidden className="shrink-0" />
      <span className="max-w-60 shrink-0 truncate">{t("replyingTo", { name: nameOf(quote.account_id) })}</span>
      <bdi className={quote.deleted ? "min-w-0 flex-1 truncate text-text-3 italic" : "min-w-0 flex-1 truncate text-text-3"}>{formatQuote(quote, nameOf)}</bdi>
      <IconButton label={t("cancelReply")} className="size-7" onClick={onCancel}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

export interface ReplyTarget {
  /** Quote of the message that the draft replies to; null for none. */
  quote: Quote | null;
  set(message: Message): void;
  clear(): void;
}

/** Manages the message that the draft replies to. Its quote is stored with the draft, and is current while the message is loaded. */
export function useReplyTarget(projectId: number, messages: readonly Message[] | undefined): ReplyTarget {
  const [savedQuote, setSavedQuote] = useDraftReply(projectId);
  const loadedMessage = savedQuote && messages?.find(({ id }) => id === savedQuote.id);
  const quote = useMemo(() => (loadedMessage ? toQuote(loadedMessage) : savedQuote), [loadedMessage, savedQuote]);
  const set = useCallback((message: Message) => setSavedQuote(toQuote(message)), [setSavedQuote]);
  const clear = useCallback(() => setSavedQuote(null), [setSavedQuote]);
  return useMemo(() => ({ quote, set, clear }), [quote, set, clear]);
}
