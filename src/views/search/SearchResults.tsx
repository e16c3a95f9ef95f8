import { SearchX } from "lucide-react";
import { useId } from "react";
import { Link } from "react-router";
import type { SearchGroup, SearchKind, SearchResult } from "../../../contract/search-records.ts";
import { t, tKinds } from "../../lib/texts/search.ts";
import { describeError } from "../../queries/describe-error.ts";
import { type SearchQuery, useSearch, useSearchOfKind } from "../../queries/search.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { RowsSkeleton } from "../../ui/Skeleton.tsx";
import { ResultRow } from "./ResultRow.tsx";

/** Results of each kind while all kinds are shown. */
const RESULTS_PER_KIND = 5;

interface Props {
  query: SearchQuery;
  /** The address that shows one kind. */
  pathOfKind(kind: SearchKind): string;
  /** Undefined without filters. */
  onClearFilters: (() => void) | undefined;
}

/** Shows the first results of every kind. */
export function AllResults({ query, pathOfKind, onClearFilters }: Props) {
  const { data, error, refetch, isFetching } = useSearch(query, RESULTS_PER_KIND);
  const groups = data?.groups;
  const count = groups?.reduce((sum, { results }) => sum + results.length, 0);
  const hasMore = groups?.some(({ next_cursor }) => next_cursor !== null) ?? false;
  return (
    <ResultsFrame
      count={count}
      hasMore={hasMore}
      isFetching={isFetching}
      error={error}
      retry={() => void refetch()}
      q={query.q}
      onClearFilters={onClearFilters}
    >
      {groups?.map((group) => (
        <Group key={group.kind} group={group} q={query.q} path={pathOfKind(group.kind)} />
      ))}
    </ResultsFrame>
  );
}

function Group({ group: { kind, results, next_cursor }, q, path }: { group: SearchGroup; q: string; path: string }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-5">
      <h2 id={id} className="px-3 pb-1 text-sm font-semibold text-text-2">
        {t(kind)}
      </h2>
      <ResultList results={results} q={q} labelledBy={id} />
      {next_cursor !== null && (
        <Link to={path} data-search-result className="mx-3 mt-1 inline-flex h-8 items-center font-medium text-link hover:underline pointer-coarse:h-11">
          {t("showAll", { kind: tKinds(kind) })}
        </Link>
      )}
    </section>
  );
}

/** Shows the results of one kind, page by page. */
export function ResultsOfKind({ query, kind, onClearFilters }: Omit<Props, "pathOfKind"> & { kind: SearchKind }) {
  const { results, error, refetch, isFetching, isFetchingNextPage, isFetchNextPageError, hasNextPage, fetchNextPage } = useSearchOfKind(query, kind);
  return (
    <ResultsFrame
      count={results?.length}
      hasMore={hasNextPage}
      isFetching={isFetching}
      error={isFetchNextPageError ? null : error}
      retry={() => void refetch()}
      q={query.q}
      onClearFilters={onClearFilters}
    >
      <ResultList results={results ?? []} q={query.q} label={t(kind)} />
      {hasNextPage && (
        <div className="flex flex-col items-center gap-2 p-3">
          {isFetchNextPageError && (
            <p role="alert" className="text-sm text-text-2">
              {t("moreFailed")}
            </p>
          )}
          <Button pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t("more")}
          </Button>
        </div>
      )}
    </ResultsFrame>
  );
}

function ResultList({ results, q, label, labelledBy }: { results: readonly SearchResult[]; q: string; label?: string; labelledBy?: string }) {
  return (
    <ul aria-label={label} aria-labelledby={labelledBy}>
      {results.map((result) => (
        <ResultRow key={result.id} result={result} query={q} />
      ))}
    </ul>
  );
}

interface FrameProps extends Pick<Props, "onClearFilters"> {
  /** Undefined until loaded. */
  count: number | undefined;
  hasMore: boolean;
  isFetching: boolean;
  error: unknown;
  retry(): void;
  q: string;
  children: React.ReactNode;
}

/** Announces the number of results, and shows what is in their place while they load, if there are none and if the search failed. */
function ResultsFrame({ count, hasMore, isFetching, error, retry, q, onClearFilters, children }: FrameProps) {
  return (
    <div aria-busy={isFetching}>
      <p role="status" className="min-h-9 px-3 py-2 text-sm text-text-2">
        {count === undefined ? isFetching && t("searching") : count > 0 && t(hasMore ? "foundMore" : "found", { count })}
        {count === 0 && <span className="sr-only">{t("noneTitle", { text: q.trim() })}</span>}
      </p>
      {count === undefined && !error && (
        <div className="px-7">
          <RowsSkeleton rows={6} />
        </div>
      )}
      {count === undefined && error !== null && error !== undefined && (
        <EmptyState icon={<SearchX size={22} aria-hidden />} title={t("failed")} actions={<Button onClick={retry}>{t("retry")}</Button>}>
          {describeError(error).title}
        </EmptyState>
      )}
      {count === 0 && (
        <EmptyState
          icon={<SearchX size={22} aria-hidden />}
          title={t("noneTitle", { text: q.trim() })}
          actions={onClearFilters && <Button onClick={onClearFilters}>{t("clear")}</Button>}
        >
          {onClearFilters ? t("noneFiltered") : t("noneHelp")}
        </EmptyState>
      )}
      {count !== undefined && count > 0 && children}
    </div>
  );
}
