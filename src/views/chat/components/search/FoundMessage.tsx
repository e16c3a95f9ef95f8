import { memo } from "react";
import { Link, useParams } from "react-router";
import type { Message } from "../../../../../contract/records.ts";
import { t } from "../../../../lib/messages/chat-search.ts";
import { formatTime, formatDateTime, formatShortDay } from "../../../../lib/time.ts";
import type { Person } from "../../../../queries/members/use-people.ts";
import { Avatar } from "../../../../ui/Avatar.tsx";
import { buildSearchExcerpt } from "../../model/found-text.ts";
import { formatSearch, type SearchState } from "../../model/search-state.ts";

interface Props {
  message: Message;
  searchState: SearchState;
  personOf(accountId: number): Person | undefined;
  closesOnSelect: boolean;
}

/** Renders a search result that links to its message in the chat. */
export const SearchResult = memo(function SearchResult({ message, searchState, personOf, closesOnSelect }: Props) {
  const isCurrent = Number(useParams()["messageId"]) === message.id;
  const author = personOf(message.account_id);
  const name = author?.name ?? t("formerMember");
  const { attachments } = message;
  return (
    <li>
      <Link
        to={{ pathname: `/projects/${message.chat_id}/chat/${message.id}`, search: closesOnSelect ? "" : formatSearch(searchState) }}
        aria-current={isCurrent || undefined}
        className="flex gap-2.5 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2 aria-current:bg-accent-soft/60"
      >
        <Avatar id={message.account_id} name={name} url={author?.avatarUrl ?? null} size="sm" className="mt-0.5" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-2">
            <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
            <time dateTime={message.datetime} title={formatDateTime(message.datetime)} className="shrink-0 text-xs text-text-2">
              {formatShortDay(message.datetime)}, {formatTime(message.datetime)}
            </time>
          </span>
          <span dir="auto" className="line-clamp-3 wrap-anywhere text-text-2">
            {buildSearchExcerpt(message.body, searchState.q, (id) => personOf(id)?.name ?? t("formerMember")).map(({ text, isHit }, index) =>
              isHit ? (
                <mark key={index} className="rounded-sm bg-accent-soft font-medium text-text">
                  {text}
                </mark>
              ) : (
                text
              ),
            )}
          </span>
          {attachments.length > 0 && (
            <span className="mt-0.5 block truncate text-xs text-text-2" title={attachments.map((attachment) => attachment.name).join(", ")}>
              {message.is_audio_message ? t("voiceNote") : attachments.length === 1 ? attachments[0]?.name : t("withFiles", { count: attachments.length })}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
});
