import { CircleAlert } from "lucide-react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/files.ts";
import { hasFailed, isProcessing } from "../../../../queries/files/state.ts";
import { useProgress } from "../../../../queries/files/use-progress.ts";

/** Shows that processing failed, with the reason. Renders nothing otherwise. */
export function FailureIcon({ entry }: { entry: FileEntry }) {
  if (!hasFailed(entry.transcoding_status)) return null;
  const reason = entry.failure ?? t("failed");
  return (
    <span role="img" aria-label={reason} title={reason} className="shrink-0 text-danger">
      <CircleAlert size={15} aria-hidden />
    </span>
  );
}

/** Shows the processing progress as text. */
export function ProcessingProgress({ entry }: { entry: FileEntry }) {
  const progress = useProgress(entry.id, entry.version);
  const text =
    progress === undefined ? t(entry.transcoding_status === "waiting" ? "waiting" : "processing") : t("percent", { percent: Math.floor(progress * 100) });
  return <span className="tabular truncate">{text}</span>;
}

/** Shows the processing progress as a line at the row's lower edge. */
export function ProgressLine({ entry }: { entry: FileEntry }) {
  return isProcessing(entry.transcoding_status) && <ProgressBar entry={entry} />;
}

function ProgressBar({ entry }: { entry: FileEntry }) {
  const progress = useProgress(entry.id, entry.version);
  if (progress === undefined) return null;
  return (
    <span
      role="progressbar"
      aria-label={t("processingName", { name: entry.name })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(progress * 100)}
      className="absolute inset-x-0 bottom-0 h-0.5"
    >
      <span className="block h-full bg-accent transition-[width]" style={{ width: `${progress * 100}%` }} />
    </span>
  );
}
