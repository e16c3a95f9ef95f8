import { useRef } from "react";
import { useSearchParams } from "react-router";
import type { FilePage } from "../../../../contract/knowledge-records.ts";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { HighlightedText } from "../../../components/search/HighlightedText.tsx";
import { useScrollToMark } from "../../../components/search/use-scroll-to-mark.ts";
import { t } from "../../../lib/texts/document.ts";
import { useFilePage, useTaggedTexts } from "../../../queries/knowledge.ts";

interface Props {
  fileId: number;
  version: number;
}

/** Shows the lyrics and notes in the tags of audio, with the words of the search that led here marked. Nothing is rendered where there are none. */
export function LyricsPanel({ fileId, version }: Props) {
  const { data: pages = [] } = useTaggedTexts(fileId, version);
  if (pages.length === 0) return null;
  return (
    <section aria-labelledby="lyrics" className="min-w-0 border-b border-line px-4 py-5 tablet:px-5">
      <h2 id="lyrics" className="font-semibold">
        {t("lyricsAndNotes")}
      </h2>
      {pages.map((page) => (
        <TaggedText key={page.number} fileId={fileId} version={version} page={page} />
      ))}
    </section>
  );
}

function TaggedText({ fileId, version, page }: Props & { page: FilePage }) {
  const [params] = useSearchParams();
  const query = params.get("find") ?? "";
  const isTarget = query !== "" && Number(params.get("page")) === page.number;
  const { data, error, refetch } = useFilePage(fileId, version, page.number);
  const element = useRef<HTMLParagraphElement>(null);
  const text = data?.text;
  // A result of a search opens at the sentence.
  useScrollToMark(element, isTarget ? text : undefined, query);
  return (
    <>
      <h3 className="mt-4 text-sm font-medium text-text-2">{page.label}</h3>
      {error && text === undefined && <LoadError error={error} retry={() => void refetch()} />}
      {text !== undefined && (
        <p ref={element} dir="auto" className="mt-1.5 max-w-180 wrap-anywhere whitespace-pre-wrap">
          <HighlightedText text={text} query={query} />
        </p>
      )}
    </>
  );
}
