/** The message that the draft replies to, and the bar that shows it. */
import { CornerUpLeft } from "lucide-react";
import type { Message, Quote } from "../../../../contract/records.ts";
import { t } from "../../../lib/texts/chat.ts";
import { accessibleName, useIsAgent } from "../../../queries/agents/agent-accounts.ts";
import { toQuote } from "../../../queries/messages/history.ts";
import { useDraftReply } from "../../../sync/drafts/use-message-draft.ts";
import { CloseButton } from "../../../ui/IconButton.tsx";
import { useChat } from "../chat-context.ts";
import { formatQuote } from "../message/QuoteLine.tsx";
import { AgentBadge } from "../../../components/agents/AgentBadge.tsx";

/** Manages the message that the draft replies to. Its quote is stored with the draft, and is current while the message is loaded. */
export function useReplyTarget(projectId: number, messages: readonly Message[] | undefined) {
  const [savedQuote, setSavedQuote] = useDraftReply(projectId);
  const loadedMessage = savedQuote && messages?.find(({ id }) => id === savedQuote.id);
  return {
    quote: loadedMessage ? toQuote(loadedMessage) : savedQuote,
    set: (message: Message) => setSavedQuote(toQuote(message)),
    clear: () => setSavedQuote(null),
  };
}

/** Shows the message that the draft replies to. */
export function ReplyBar({ quote, onCancel }: { quote: Quote; onCancel(): void }) {
  const { nameOf } = useChat();
  const isAgent = useIsAgent(quote.account_id);
  return (
    <div
      role="group"
      aria-label={t("replyingTo", { name: accessibleName(nameOf(quote.account_id), isAgent) })}
      className="flex items-center gap-2 border-b border-line py-1 pr-2 pl-3.5 text-sm text-text-2 max-tablet:pl-5"
    >
      <CornerUpLeft size={15} aria-hidden className="shrink-0" />
      <span className="max-w-60 shrink-0 truncate">{t("replyingTo", { name: nameOf(quote.account_id) })}</span>
      <AgentBadge accountId={quote.account_id} />
      <bdi className={quote.deleted ? "min-w-0 flex-1 truncate text-text-3 italic" : "min-w-0 flex-1 truncate text-text-3"}>{formatQuote(quote, nameOf)}</bdi>
      <CloseButton label={t("cancelReply")} className="size-7" onClick={onCancel} />
    </div>
  );
}
