/** Formats the accessible label of a row as one sentence. */
import type { FileEntry } from "../../../../contract/file-records.ts";
import { formatAccessibleDuration } from "../../../lib/duration.ts";
import { formatSize } from "../../../lib/file-size.ts";
import { t } from "../../../lib/messages/files.ts";
import { formatShortDay } from "../../../lib/time.ts";

export function formatAccessibleLabel(entry: FileEntry, uploader?: string): string {
  return [
    entry.name,
    entry.is_folder ? t("oneFolder") : null,
    entry.status?.title,
    entry.duration > 0 ? formatAccessibleDuration(entry.duration) : null,
    entry.bpm > 0 ? t("bpmOf", { bpm: String(Math.round(entry.bpm * 10) / 10) }) : null,
    entry.key,
    entry.is_folder ? null : formatSize(entry.size),
    uploader,
    formatShortDay(entry.changed_at),
  ]
    .filter(Boolean)
    .join(", ");
}
