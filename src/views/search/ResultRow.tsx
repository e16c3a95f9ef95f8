import { type ReactNode, memo } from "react";
import { Link } from "react-router";
import type { SearchResult } from "../../../contract/search-records.ts";
import { useServiceTime } from "../../client/client.ts";
import { AgentBadge } from "../../components/agents/AgentBadge.tsx";
import { HighlightedText } from "../../components/search/HighlightedText.tsx";
import { ResultIcon } from "../../components/search/ResultIcon.tsx";
import { pathOfResult } from "../../components/search/result-link.ts";
import { StatusBadge } from "../../components/status/StatusBadge.tsx";
import { formatPosition } from "../../lib/format.ts";
import { t } from "../../lib/texts/search.ts";
import { formatDateTime, formatShortDay } from "../../lib/time.ts";

interface Props {
  result: SearchResult;
  query: string;
}

/** One result: a link with its name or text, and where it is. */
export const ResultRow = memo(function ResultRow({ result, query }: Props) {
  const now = useServiceTime();
  const { kind, title, text, account, time } = result;
  const isText = kind === "message" || kind === "comment" || kind === "document";
  return (
    <li>
      <Link
        to={pathOfResult(result, query)}
        data-search-result
        className="flex min-h-13 items-start gap-3 rounded-md px-3 py-2 hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:py-2.5"
      >
        <span className="flex h-5 w-6 shrink-0 items-center justify-center">
          <ResultIcon result={result} size={18} />
        </span>
        <span className="min-w-0 flex-1">
          <span dir="auto" className={isText ? "line-clamp-2 wrap-anywhere" : "block truncate font-medium"}>
            {isText && kind !== "document" && account && (
              <>
                <bdi className="font-semibold">{account.username}</bdi>
                <AgentBadge accountId={account.id} className="align-[-2px]" />{" "}
              </>
            )}
            <HighlightedText text={isText ? text : title} query={query} />
            {kind === "person" && <AgentBadge accountId={result.id} className="align-[-2px]" />}
          </span>
          <span className="flex min-w-0 items-center gap-1.5 text-sm text-text-2">
            {detailsOf(result).map((detail, index) => (
              <span key={index} className={index === 0 ? "min-w-0 truncate" : "min-w-0 shrink-[2] truncate"}>
                {index > 0 && "· "}
                {detail}
              </span>
            ))}
          </span>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-1">
          {kind !== "person" && kind !== "project" && (
            <time dateTime={time} title={formatDateTime(time)} className="text-xs leading-5 text-text-2">
              {formatShortDay(time, now)}
            </time>
          )}
          {result.status && <StatusBadge status={result.status} className="h-5! max-w-36 px-2!" />}
        </span>
      </Link>
    </li>
  );
});

/** Returns what the second line says: where the result is, then its facts. */
function detailsOf({ kind, text, project, file, account, bpm = 0, key, closed = false, position_ms = null, page_label = "" }: SearchResult): ReactNode[] {
  const location = kind === "project" ? null : project?.name;
  const facts: Record<SearchResult["kind"], (ReactNode | false)[]> = {
    project: [text !== "" && <bdi key="text">{text}</bdi>],
    person: [],
    file: [file?.kind === "folder" && t("folder"), bpm > 0 && t("bpm", { bpm: Math.round(bpm) }), key ?? false],
    playlist: [account?.username ?? false],
    task: [<bdi key="file">{file?.name}</bdi>, account?.username ?? false, closed && t("completed")],
    message: [],
    document: [<bdi key="file">{file?.name}</bdi>, page_label],
    comment: [<bdi key="file">{file?.name}</bdi>, position_ms !== null && t("at", { time: formatPosition(position_ms / 1_000) })],
  };
  return [location !== null && location !== undefined && <bdi key="project">{location}</bdi>, ...facts[kind]].filter((detail) => detail !== false);
}
