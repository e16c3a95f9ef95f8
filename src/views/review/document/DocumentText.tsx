import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import type { FileText } from "../../../../contract/knowledge-records.ts";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { HighlightedText } from "../../../components/search/HighlightedText.tsx";
import { t } from "../../../lib/texts/document.ts";
import { useFilePage } from "../../../queries/knowledge.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { FindInDocument } from "./FindInDocument.tsx";

interface Props {
  file: { id: number; name: string };
  version: number;
  text: FileText;
}

/** Shows one page of the text at a time. The address has the page and what is looked for, so that both can be linked to. */
export function DocumentText({ file, version, text }: Props) {
  const [params, setParams] = useSearchParams();
  const count = Math.max(1, text.page_count);
  const requested = Number(params.get("page"));
  const number = Number.isInteger(requested) && requested > 0 ? Math.min(requested, count) : 1;
  const query = params.get("find") ?? "";
  const open = (page: number) =>
    setParams(
      (current) => {
        const changed = new URLSearchParams(current);
        changed.set("page", String(page));
        return changed;
      },
      { replace: true },
    );
  return (
    <section aria-label={t("label", { file: file.name })} className="mx-auto flex max-w-180 flex-col gap-3">
      <FindInDocument fileId={file.id} query={query} onOpen={open} />
      <nav aria-label={t("pages")} className="flex items-center justify-between gap-2">
        <IconButton icon={ChevronLeft} label={t("previous")} disabled={number <= 1} onClick={() => open(number - 1)} />
        <span className="text-text-2 tabular-nums">{t(text.unit === "page" ? "page" : "part", { number, count })}</span>
        <IconButton icon={ChevronRight} label={t("next")} disabled={number >= count} onClick={() => open(number + 1)} />
      </nav>
      <PageText fileId={file.id} version={version} number={number} query={query} />
      {text.is_cut && <p className="text-sm text-text-2">{t("cut")}</p>}
    </section>
  );
}

function PageText({ fileId, version, number, query }: { fileId: number; version: number; number: number; query: string }) {
  const { data: page, error, refetch } = useFilePage(fileId, version, number);
  const element = useRef<HTMLDivElement>(null);
  const isShown = page?.number === number;
  // A result of a search opens at the sentence.
  useEffect(() => {
    if (isShown && query !== "") element.current?.querySelector("mark")?.scrollIntoView({ block: "center" });
  }, [isShown, query]);
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
