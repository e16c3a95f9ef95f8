import { Search } from "lucide-react";
import { useNavigate } from "react-router";
import { findHits } from "../../../contract/search-tokens.ts";
import type { SearchKind, SearchResult } from "../../../contract/search-records.ts";
import { HighlightedText } from "../../components/search/HighlightedText.tsx";
import { ResultIcon } from "../../components/search/ResultIcon.tsx";
import { pathOfResult } from "../../components/search/result-link.ts";
import { matchScore } from "../../lib/search.ts";
import { t } from "../../lib/texts/dialogs.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useSearch } from "../../queries/search.ts";
import { useOpenProjectId } from "../shell/use-open-project.ts";
import type { PaletteEntry } from "./palette-entry.ts";

/** Results of each kind. */
const RESULTS_PER_KIND = 5;
/** How much of a text comes before its first match, in characters. */
const BEFORE_MATCH = 24;
/** Projects and people are among the entries that need no request. */
const SECTION_OF_KIND: Partial<Record<SearchKind, PaletteEntry["section"]>> = {
  file: "files",
  playlist: "playlists",
  task: "tasks",
  message: "messages",
  comment: "comments",
  document: "documents",
};

/** `failed`: what is listed may lack what the service would have found. */
export type SearchProgress = "idle" | "searching" | "done" | "failed";

function usePaletteSearch(query: string) {
  const hasSearch = useHasFeature("search");
  const projectId = useOpenProjectId() ?? 0;
  const near = projectId > 0 ? { near_project_id: projectId } : {};
  return useSearch(hasSearch && query !== "" ? { q: query, ...near } : null, RESULTS_PER_KIND);
}

/** Returns how far the search for what is typed is, and what starts it again. */
export function useSearchProgress(query: string, typed: string): { progress: SearchProgress; retry(): void } {
  const hasSearch = useHasFeature("search");
  const { data, isError, isFetching, refetch } = usePaletteSearch(query);
  const retry = () => void refetch();
  if (typed === "") return { progress: "idle", retry };
  // Without the search, the lists that the client has are all there is.
  if (!hasSearch) return { progress: "done", retry };
  if (query === typed && isError && !isFetching) return { progress: "failed", retry };
  return { progress: query === typed && data?.q === typed ? "done" : "searching", retry };
}

/** Returns what the service finds in all projects, what is in the current one first, and the way to the search page. */
export function useSearchEntries(query: string, typed: string): PaletteEntry[] {
  const hasSearch = useHasFeature("search");
  const navigate = useNavigate();
  const { data } = usePaletteSearch(query);
  if (!hasSearch) return [];
  const results = (data?.groups ?? []).flatMap((group) => group.results);
  return [
    ...results.flatMap((result): PaletteEntry[] => {
      const section = SECTION_OF_KIND[result.kind];
      if (!section) return [];
      const name = (result.kind === "document" ? "" : result.title) || startAtMatch(result.text, query);
      return [
        {
          key: `${result.kind}-${result.id}`,
          section,
          name,
          label: <HighlightedText text={name} query={query} />,
          detail: detailOf(result),
          icon: <ResultIcon result={result} />,
          // While the next results load, those of the last ones stay that still match.
          matches: (typedNow) => data?.q === typedNow || matchScore(`${name} ${result.project?.name ?? ""}`, typedNow) > 0,
          run: () => void navigate(pathOfResult(result, query)),
        },
      ];
    }),
    {
      key: "search",
      section: "search",
      name: typed === "" ? t("searchEverything") : t("searchFor", { text: typed }),
      icon: <Search size={16} aria-hidden />,
      matches: () => true,
      run: () => void navigate(typed === "" ? "/search" : `/search?${new URLSearchParams({ q: typed }).toString()}`),
    },
  ];
}

/** A row of the palette has one line, so that the match must be at its beginning. */
export function startAtMatch(text: string, query: string): string {
  const match = findHits(text, query)[0]?.start ?? 0;
  if (match <= BEFORE_MATCH) return text;
  const space = text.indexOf(" ", match - BEFORE_MATCH);
  return `…${text.slice(space === -1 || space >= match ? match : space + 1)}`;
}

function detailOf({ kind, file, project, account, page_label }: SearchResult): string | undefined {
  if (kind === "document") return [file?.name, page_label].filter(Boolean).join(" · ");
  if (kind === "task" || kind === "comment") return file?.name;
  if (kind === "message") return [account?.username, project?.name].filter(Boolean).join(" · ");
  return project?.name;
}
