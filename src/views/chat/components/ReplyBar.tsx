import { CornerUpLeft, X } from "lucide-react";
import type { Quote } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { formatQuote } from "../model/quote-words.ts";

interface Props {
  quote: Quote;
  nameOf(accountId: number): string;
  onCancel(): void;
}

/** Shows the message that the draft replies to. */
export function ReplyBar({ quote, nameOf, onCancel }: Props) {
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
