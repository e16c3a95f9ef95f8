import { memo } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import type { Message } from "../../../../contract/records.ts";
import { findHits } from "../../../../contract/search-tokens.ts";
import { useServiceTime } from "../../../client/client.ts";
import { t } from "../../../lib/texts/chat-search.ts";
import { formatDateTime, formatDayTime } from "../../../lib/time.ts";
import type { Person } from "../../../queries/members.ts";
import { AgentBadge } from "../../../components/agents/AgentBadge.tsx";
import { Avatar } from "../../../components/Avatar.tsx";
import { type SearchState, withSearch } from "./search-state.ts";

/** UTF-16 units: the excerpt's length, and the part of it before the first hit. */
const MAX_EXCERPT_LENGTH = 220;
const MAX_CONTEXT_BEFORE = 60;
/** A trailing surrogate, a combining mark or a joiner. */
const CONTINUES_CHARACTER = /[\uDC00-\uDFFF]|\p{M}|\u200D/u;
const MENTION = /<@([1-9]\d{0,14})>/g;

interface SearchResultProps {
  message: Message;
  searchState: SearchState;
  personOf(accountId: number): Person | undefined;
  shouldCloseOnSelect: boolean;
}

export const SearchResult = memo(function SearchResult({ message, searchState, personOf, shouldCloseOnSelect }: SearchResultProps) {
  const now = useServiceTime();
  const [params] = useSearchParams();
  const isCurrent = Number(useParams()["messageId"]) === message.id;
  const author = personOf(message.account_id);
  const name = author?.name ?? t("formerMember");
  const { attachments } = message;
  return (
    <li>
      <Link
        to={{ pathname: `/projects/${message.chat_id}/chat/${message.id}`, search: withSearch(params, shouldCloseOnSelect ? null : searchState).toString() }}
        aria-current={isCurrent || undefined}
        className="flex gap-2.5 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2 aria-current:bg-accent-soft/60"
      >
        <Avatar id={message.account_id} name={name} url={author?.avatarUrl ?? null} size="sm" className="mt-0.5" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-2">
            <span className="flex min-w-0 flex-1 items-baseline gap-1.5">
              <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
              <AgentBadge accountId={message.account_id} />
            </span>
            <time dateTime={message.datetime} title={formatDateTime(message.datetime)} className="shrink-0 text-xs text-text-2">
              {formatDayTime(message.datetime, now)}
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

/** Builds a short excerpt of a message around its first hit, with the hits marked. `nameOf` returns the name of a mentioned account. */
export function buildSearchExcerpt(body: string, query: string, nameOf: (accountId: number) => string) {
  const text = body.replace(MENTION, (_, id: string) => `@${nameOf(Number(id))}`).replace(/\s+/g, " ");
  const hits = findHits(text, query);
  const firstHitStart = hits[0]?.start ?? 0;
  const start = firstHitStart <= MAX_CONTEXT_BEFORE ? 0 : characterBoundary(text, firstHitStart - MAX_CONTEXT_BEFORE);
  const end = text.length <= start + MAX_EXCERPT_LENGTH ? text.length : characterBoundary(text, start + MAX_EXCERPT_LENGTH);
  const segments = start > 0 ? [{ text: "…", isHit: false }] : [];
  let at = start;
  for (const hit of hits) {
    if (hit.start >= end) break;
    if (hit.start > at) segments.push({ text: text.slice(at, hit.start), isHit: false });
    segments.push({ text: text.slice(hit.start, Math.min(hit.end, end)), isHit: true });
    at = Math.min(hit.end, end);
  }
  if (at < end) segments.push({ text: text.slice(at, end), isHit: false });
  if (end < text.length) segments.push({ text: "…", isHit: false });
  return segments;
}

/** Moves a cut back so that it splits no surrogate pair and no combining sequence. */
function characterBoundary(text: string, at: number): number {
  let end = at;
  while (end > 0 && CONTINUES_CHARACTER.test(text[end] ?? "")) end -= 1;
  return end;
}
