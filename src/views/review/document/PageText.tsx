import { useRef } from "react";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { HighlightedText } from "../../../components/search/HighlightedText.tsx";
import { useScrollToMark } from "../../../components/search/use-scroll-to-mark.ts";
import { t } from "../../../lib/texts/document.ts";
import { useFilePage } from "../../../queries/knowledge.ts";

/** Shows the text of a page with the words of the query marked. */
export function PageText({ fileId, version, number, query }: { fileId: number; version: number; number: number; query: string }) {
  const { data: page, error, refetch } = useFilePage(fileId, version, number);
  const element = useRef<HTMLDivElement>(null);
  const isShown = page?.number === number;
  // A result of a search opens at the sentence.
  useScrollToMark(element, isShown ? page.text : undefined, query);
  if (error) return <LoadError error={error} retry={() => void refetch()} />;
  if (!page) return <p className="text-text-2">{t("loading")}</p>;
  const text = page.text.replaceAll("\u00AD", "");
  return (
    <div
      ref={element}
      dir="auto"
      data-page={page.number}
      aria-busy={!isShown}
      className="rounded-lg border border-line bg-raised px-4 py-5 leading-relaxed wrap-anywhere whitespace-pre-wrap tablet:px-8 tablet:py-7"
    >
      {text === "" ? <span className="text-text-2">{t("emptyPage")}</span> : <HighlightedText text={text} query={query} />}
    </div>
  );
}
