import { t } from "../../lib/messages/status.ts";
import type { PendingStatusChange, StatusChangeFile } from "../../queries/statuses/choices.ts";

/** The file by its name, or how many. */
export const formatFiles = (files: readonly StatusChangeFile[]): string => (files.length === 1 ? files[0]!.name : t("files", { count: files.length }));

/** Of what the page says of a choice whose files have another status meanwhile. */
export function overtakenMessage({ files }: PendingStatusChange): string {
  const [first] = files;
  return files.length === 1 && first
    ? t("overtaken", { what: first.name, now: first.before?.title ?? t("none") })
    : t("overtakenSeveral", { count: files.length });
}
