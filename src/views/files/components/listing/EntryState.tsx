import { CircleAlert } from "lucide-react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { t } from "../../../../lib/messages/files.ts";
import { hasFailed, isUnderWay } from "../../../../queries/files/state.ts";
import { useProgress } from "../../../../queries/files/use-progress.ts";

/** Documents are done as soon as they are there: only what takes time is worth a word. */
const isShown = ({ is_folder, transcoding_status: state }: FileEntry): boolean => !is_folder && (isUnderWay(state) || hasFailed(state));

/** Where processing stands, in a word; nothing once it is done. */
export function EntryState({ entry }: { entry: FileEntry }) {
  if (!isShown(entry)) return null;
  return hasFailed(entry.transcoding_status) ? <Failed entry={entry} /> : <UnderWay entry={entry} />;
}

function Failed({ entry }: { entry: FileEntry }) {
  const why = entry.failure ?? t("failed");
  return (
    <span role="img" aria-label={why} title={why} className="shrink-0 text-danger">
      <CircleAlert size={15} aria-hidden />
    </span>
  );
}

function UnderWay({ entry }: { entry: FileEntry }) {
  const progress = useProgress(entry.id, entry.version);
  const text =
    progress === undefined ? t(entry.transcoding_status === "waiting" ? "waiting" : "processing") : t("percent", { percent: Math.floor(progress * 100) });
  return <span className="tabular shrink-0 text-xs text-text-2">{text}</span>;
}

/** The same as a line at the row's lower edge. */
export function ProgressLine({ entry }: { entry: FileEntry }) {
  return isShown(entry) && !hasFailed(entry.transcoding_status) && <Line entry={entry} />;
}

function Line({ entry }: { entry: FileEntry }) {
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
