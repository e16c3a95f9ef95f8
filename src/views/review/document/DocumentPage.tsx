import { File } from "lucide-react";
import type { ReactNode } from "react";
import type { FileCommon } from "../../../../contract/records.ts";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { t } from "../../../lib/texts/document.ts";
import { useFileText } from "../../../queries/knowledge.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { DocumentText } from "./DocumentText.tsx";

interface Props {
  common: FileCommon;
  download: ReactNode;
  /** Shown for a format whose text is not read. */
  fallback: ReactNode;
}

/** Shows the text of a document, or why there is none. */
export function DocumentPage({ common, download, fallback }: Props) {
  const version = typeof common.version === "number" ? common.version : 1;
  const { data: text, error, refetch } = useFileText(common.id, version);
  if (error && !text) return <LoadError error={error} retry={() => void refetch()} />;
  if (!text || text.state === "none") return fallback;
  if (text.state === "indexed") return <DocumentText file={common} version={version} text={text} />;
  const explanation = text.state === "waiting" ? t("waiting") : text.state === "empty" ? t("empty") : text.reason;
  return (
    <EmptyState icon={<File size={22} aria-hidden />} title={common.name} actions={download}>
      {explanation}
    </EmptyState>
  );
}
