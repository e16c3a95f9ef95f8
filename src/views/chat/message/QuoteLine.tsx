import { Mic, Paperclip } from "lucide-react";
import type { Quote } from "../../../../contract/records.ts";
import { AgentMark } from "../../../components/agents/AgentBadge.tsx";
import { excerptOf } from "../../../components/message-text/parse.ts";
import { formatPosition } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/chat.ts";
import { t as tVoice } from "../../../lib/texts/voice.ts";
import { accessibleName } from "../../../queries/agents/agent-accounts.ts";
import { isQuoteLoaded } from "../../../queries/messages/newest-messages.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { useChat } from "../chat-context.ts";

/** Renders the quoted message as one line above a reply and links to it. */
export function QuoteLine({ from, quote }: { /** The replying message, to which Back returns; null while pending. */ from: number | null; quote: Quote }) {
  const { nameOf, personOf, agentIds, jump } = useChat();
  const name = nameOf(quote.account_id);
  const isAgent = agentIds.has(quote.account_id);
  const label = formatQuote(quote, nameOf);
  const content = (
    <>
      <span aria-hidden className="h-4 w-0.5 shrink-0 rounded-full bg-line-strong" />
      <Avatar
        id={quote.account_id}
        name={name}
        url={personOf(quote.account_id)?.avatarUrl}
        initials={personOf(quote.account_id)?.initials}
        size="dot"
        className="ml-0.5"
      />
      <bdi className="max-w-40 shrink-0 truncate font-medium">{name}</bdi>
      {isAgent && <AgentMark />} {!quote.deleted && quote.is_audio_message && <Mic size={13} aria-hidden className="shrink-0" />}
      {!quote.deleted && !quote.is_audio_message && quote.excerpt === "" && quote.attachment_name !== null && (
        <Paperclip size={13} aria-hidden className="shrink-0" />
      )}
      <bdi className={quote.deleted || !isQuoteLoaded(quote) ? "min-w-0 truncate italic" : "min-w-0 truncate"}>{label}</bdi>
    </>
  );
  const lineClass = "mb-0.5 flex h-6 max-w-[min(100%,640px)] items-center gap-1.5 text-sm text-text-2";
  // A deleted message has no link, nor one that is not loaded and cannot be.
  if (quote.deleted || !isQuoteLoaded(quote) || from === null) return <p className={lineClass}>{content}</p>;
  return (
    <button
      type="button"
      aria-label={t("quoteOf", { name: accessibleName(name, isAgent), text: label })}
      onClick={() => jump(quote.id, from)}
      className={`${lineClass} w-fit min-w-0 rounded-sm pr-1 text-left hover:bg-hover hover:text-text`}
    >
      {content}
    </button>
  );
}

/** Formats a quote as one line: its text, else a description of the message. */
export function formatQuote(quote: Quote, nameOf: (accountId: number) => string): string {
  if (quote.deleted) return t("quoteDeleted");
  if (!isQuoteLoaded(quote)) return t("quoteNotLoaded");
  const excerpt = excerptOf(quote.excerpt, nameOf, quote.mentions);
  if (excerpt !== "") return excerpt;
  if (!quote.is_audio_message) return quote.attachment_name ?? t("quoteEmpty");
  return quote.audio_duration ? tVoice("noteWithDuration", { duration: formatPosition(quote.audio_duration) }) : tVoice("note");
}
