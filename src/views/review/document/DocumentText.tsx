import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { FileText } from "../../../../contract/knowledge-records.ts";
import { t } from "../../../lib/texts/document.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { FindInDocument } from "./FindInDocument.tsx";
import { PageText } from "./PageText.tsx";

interface Props {
  file: { id: number; name: string };
  version: number;
  text: FileText;
  /** Beside the search. */
  tools?: ReactNode;
}

/** Shows one page of the text at a time. The address has the page and what is looked for, so that both can be linked to. */
export function DocumentText({ file, version, text, tools }: Props) {
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
      <FindInDocument fileId={file.id} version={version} query={query} onOpen={open} tools={tools} />
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
