import { AlignLeft, File, FileText as FileTextIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { FileText } from "../../../../contract/knowledge-records.ts";
import type { FileCommon } from "../../../../contract/records.ts";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { t } from "../../../lib/texts/document.ts";
import { useFileText } from "../../../queries/knowledge.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { typeOf, versionOf } from "../file-info.ts";
import { DocumentText } from "./DocumentText.tsx";
import { PdfView } from "./pdf/PdfView.tsx";
import { usePdf } from "./pdf/use-pdf.ts";

interface Props {
  common: FileCommon;
  download: ReactNode;
  /** Shown for a format whose text is not read. */
  fallback: ReactNode;
}

/** Shows the pages of a PDF and the text of other documents, or why there is none. */
export function DocumentPage({ common, download, fallback }: Props) {
  const version = versionOf(common) ?? 1;
  const { data: text, error, refetch } = useFileText(common.id, version);
  if (error && !text) return <LoadError error={error} retry={() => void refetch()} />;
  if (!text) return <Skeleton className="h-96 rounded-lg" />;
  const props = { common, version, text, download, fallback };
  return typeOf(common) === "application/pdf" ? <PdfPage {...props} /> : <TextOrReason {...props} />;
}

interface LoadedProps extends Props {
  version: number;
  text: FileText;
  tools?: ReactNode;
}

function PdfPage(props: LoadedProps) {
  const { common, version, text } = props;
  const { pdf, retry } = usePdf(common.url, common.size);
  const [showsText, setShowsText] = useState(false);
  const hasText = text.state === "indexed";
  if (pdf === "failed" || (pdf === null && retry))
    return (
      <>
        {(hasText || retry) && (
          <p role="status" className="mx-auto mb-3 flex max-w-180 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-text-2">
            {t(hasText ? "notDrawn" : "notLoaded")}
            {retry && <TryAgain onClick={retry} />}
          </p>
        )}
        <TextOrReason {...props} />
      </>
    );
  if (showsText) return <TextOrReason {...props} tools={<IconButton icon={FileTextIcon} label={t("showPages")} onClick={() => setShowsText(false)} />} />;
  if (!pdf)
    return (
      <div role="status" aria-label={t("loadingPages")} className="flex flex-col gap-2">
        {hasText && <IconButton icon={AlignLeft} label={t("showText")} onClick={() => setShowsText(true)} className="self-end" />}
        <Skeleton className="h-[calc(100dvh-13.5rem)] min-h-80 rounded-lg" />
      </div>
    );
  const reason = explain(text);
  return (
    <PdfView
      file={common}
      version={version}
      pdf={pdf}
      hasText={hasText}
      onShowText={hasText ? () => setShowsText(true) : null}
      notice={
        <>
          {reason && <p className="text-sm text-text-2">{reason}</p>}
          {retry && (
            <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              {t("pagesNotLoaded")}
              <TryAgain onClick={retry} />
            </p>
          )}
        </>
      }
    />
  );
}

const TryAgain = ({ onClick }: { onClick: () => void }) => (
  <Button size="sm" onClick={onClick}>
    {t("tryAgain")}
  </Button>
);

function TextOrReason({ common, version, text, download, fallback, tools }: LoadedProps) {
  if (text.state === "none") return fallback;
  if (text.state === "indexed") return <DocumentText file={common} version={version} text={text} tools={tools} />;
  return (
    <EmptyState icon={<File size={22} aria-hidden />} title={common.name} actions={download}>
      {explain(text)}
    </EmptyState>
  );
}

/** Says what is not searched of a document, or "". */
function explain({ state, reason, is_cut }: FileText): string {
  if (state === "waiting") return t("waiting");
  if (state === "empty") return t("empty");
  return state === "indexed" && is_cut ? t("cut") : reason;
}
