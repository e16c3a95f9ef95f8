import { MessageSquareQuote } from "lucide-react";
import { Link } from "react-router";
import type { SharedComment } from "../../../../contract/records.ts";
import { formatPosition, formatTenths } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/chat.ts";
import { AgentBadge } from "../../../components/agents/AgentBadge.tsx";
import { Avatar } from "../../../components/Avatar.tsx";
import { useFileLink } from "../../../components/file-link.ts";
import { parseMentions, toEditableText } from "../../../sync/drafts/draft-text.ts";
import { useChat } from "../chat-context.ts";

/** Renders a comment shared to the chat with its file, position and text, and links to it. */
export function CommentCard({ comment }: { comment: SharedComment }) {
  const { nameOf, personOf } = useChat();
  const linkOf = useFileLink();
  const { id, file_id, file_name, position_ms: at, end_ms: end, account_id, excerpt, deleted } = comment;
  const name = nameOf(account_id);
  const mentions = parseMentions(excerpt).filter((mentioned) => personOf(mentioned) !== undefined);
  const time = at === null ? null : end === null ? formatTenths(at / 1_000) : `${formatPosition(at / 1_000)}–${formatPosition(end / 1_000)}`;
  const header = (
    <span className="flex min-w-0 items-center gap-2 text-sm">
      <MessageSquareQuote size={15} aria-hidden className="shrink-0 text-text-2" />
      {time !== null && <span className="tabular shrink-0 font-semibold text-accent-text">{time}</span>}
      <bdi className="min-w-0 truncate font-medium">{file_name}</bdi>
    </span>
  );
  const cardClass = "mt-0.5 mb-1 flex max-w-150 flex-col gap-1.5 rounded-lg border border-line bg-wave-bg px-3 py-2.5";
  // A deleted comment has no link.
  if (deleted) {
    return (
      <div className={cardClass}>
        {header}
        <p className="text-text-2 italic">{t("commentDeleted")}</p>
      </div>
    );
  }
  return (
    <Link to={linkOf(file_id, { commentId: id })} className={`${cardClass} hover:border-line-strong`}>
      <span className="sr-only">{t("commentCard")}</span>
      {header}
      <span className="flex items-start gap-2">
        <Avatar id={account_id} name={name} url={personOf(account_id)?.avatarUrl} size="xs" />
        <span className="min-w-0 wrap-anywhere">
          <bdi className="font-semibold">{name}</bdi>
          <AgentBadge accountId={account_id} /> <bdi className="line-clamp-4 text-text-2">{toEditableText(excerpt, mentions, nameOf).text}</bdi>
        </span>
      </span>
    </Link>
  );
}
