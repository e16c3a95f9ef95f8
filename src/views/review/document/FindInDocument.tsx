import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { LIMITS } from "../../../../contract/limits.ts";
import { HighlightedText } from "../../../components/search/HighlightedText.tsx";
import { t } from "../../../lib/texts/document.ts";
import { useFindInFile } from "../../../queries/knowledge.ts";
import { SearchField } from "../../../ui/SearchField.tsx";

interface Props {
  fileId: number;
  version: number;
  query: string;
  onOpen(page: number): void;
  /** Beside the field. */
  tools?: ReactNode;
}

/** Finds text in the document; each match leads to its page. */
export function FindInDocument({ fileId, version, query, onOpen, tools }: Props) {
  const [, setParams] = useSearchParams();
  const [typed, setTyped] = useState(query);
  const { data } = useFindInFile(fileId, version, query);
  const found = data?.data ?? [];
  function store(text: string) {
    setParams(
      (current) => {
        const changed = new URLSearchParams(current);
        if (text.trim() === "") changed.delete("find");
        else changed.set("find", text.trim());
        return changed;
      },
      { replace: true },
    );
  }
  return (
    <div role="search" className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchField
          label={t("find")}
          labelHidden
          placeholder={t("find")}
          value={typed}
          onChange={setTyped}
          onClear={() => store("")}
          onSubmit={store}
          maxLength={LIMITS.search_characters}
          className="min-w-48 flex-1"
        />
        {tools}
      </div>
      <p role="status" className="text-sm text-text-2">
        {query !== "" && data && (found.length === 0 ? t("notFound") : t("found", { count: found.length }))}
      </p>
      {found.length > 0 && (
        <ul className="max-h-48 overflow-y-auto">
          {found.map((result) => (
            <li key={result.page}>
              <button
                type="button"
                onClick={() => onOpen(result.page)}
                className="flex w-full min-w-0 gap-2 rounded-md px-2 py-1 text-left text-sm hover:bg-hover pointer-coarse:min-h-11"
              >
                <span className="shrink-0 text-text-2 tabular-nums">{result.page_label}</span>
                <span className="truncate" dir="auto">
                  <HighlightedText text={result.excerpt} query={query} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
