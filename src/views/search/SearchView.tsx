import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { SEARCH_KINDS, type SearchKind } from "../../../contract/search-records.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/search.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { isShortcutAllowed, useDocumentKeydown } from "../../ui/use-document-keydown.ts";
import { SearchForm } from "./SearchForm.tsx";
import { countFilters, formatSearchParams, parseSearchParams, toSearchQuery, withoutFilters, type SearchParams } from "./search-params.ts";
import { AllResults, ResultsOfKind } from "./SearchResults.tsx";

/** Searches all projects; the search is in the URL. */
export function SearchView() {
  const [urlParams] = useSearchParams();
  const params = useMemo(() => parseSearchParams(urlParams), [urlParams]);
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const query = toSearchQuery(params);
  const pathOf = (next: SearchParams) => `/search?${formatSearchParams(next)}`;
  const onSearch = (next: SearchParams) => void navigate(pathOf(next), { replace: true });
  const pathOfKind = (kind: SearchKind | null) => pathOf({ ...params, kind });
  const onClearFilters = countFilters(params) > 0 ? () => onSearch(withoutFilters(params)) : undefined;

  useEffect(() => field.current?.focus(), []);
  useDocumentKeydown((event) => {
    if (event.key !== "/" || !isShortcutAllowed(event)) return;
    event.preventDefault();
    field.current?.focus();
  });
  /** Arrow keys go from the field to the results and back. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const links = [...(results.current?.querySelectorAll<HTMLElement>("[data-search-result]") ?? [])];
    const index = links.indexOf(document.activeElement as HTMLElement);
    if (index === -1 && document.activeElement !== field.current) return;
    event.preventDefault();
    const next = index + (event.key === "ArrowDown" ? 1 : -1);
    if (next < 0) field.current?.focus();
    else links[next]?.focus();
  };

  return (
    // Handles keys for the field and the links inside, which keep their native behavior.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="flex h-full flex-col" onKeyDown={onKeyDown}>
      <PageTitle text={t("pageTitle")} />
      <header className="flex h-14 shrink-0 items-center border-b border-line px-4 tablet:px-5">
        <h1 tabIndex={-1} className="text-lg font-semibold">
          {t("title")}
        </h1>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-215 px-4 pt-5 pb-10 tablet:px-6">
          <SearchForm params={params} field={field} onSearch={onSearch} />
          <nav aria-label={t("kinds")} className="-mx-4 mt-4 flex overflow-x-auto border-b border-line px-4 tablet:mx-0 tablet:px-0">
            {[null, ...SEARCH_KINDS].map((kind) => (
              <KindLink key={kind} to={pathOfKind(kind)} isCurrent={kind === params.kind}>
                {t(kind ?? "all")}
              </KindLink>
            ))}
          </nav>
          <div ref={results} className="-mx-3 mt-1">
            {query === null ? (
              <EmptyState icon={<Search size={22} aria-hidden />} title={t("startTitle")}>
                {t("startHelp")}
              </EmptyState>
            ) : params.kind === null ? (
              <AllResults query={query} pathOfKind={pathOfKind} onClearFilters={onClearFilters} />
            ) : (
              <ResultsOfKind key={params.kind} query={query} kind={params.kind} onClearFilters={onClearFilters} />
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

function KindLink({ to, isCurrent, children }: { to: string; isCurrent: boolean; children: string }) {
  return (
    <Link
      to={to}
      replace
      aria-current={isCurrent ? "page" : undefined}
      className={classNames(
        "relative inline-flex h-10 shrink-0 items-center px-3 whitespace-nowrap transition-colors after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 focus-visible:outline-offset-[-4px] pointer-coarse:h-11",
        isCurrent ? "font-semibold text-text after:bg-accent" : "text-text-2 hover:text-text",
      )}
    >
      {children}
    </Link>
  );
}
