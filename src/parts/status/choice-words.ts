import { t } from "../../lib/messages/status.ts";
import type { PendingStatusChange, StatusChangeFile } from "../../queries/statuses/choices.ts";

/** Returns the file's name, or the number of files. */
export const formatFiles = (files: readonly StatusChangeFile[]): string => (files.length === 1 ? files[0]!.name : t("files", { count: files.length }));

/** Returns the message for a status change whose files got another status meanwhile. */
export function overtakenMessage({ files }: PendingStatusChange): string {
  const [first] = files;
  return files.length === 1 && first
    ? t("changedByOther", { what: first.name, now: first.before?.title ?? t("none") })
    : t("changedByOtherSeveral", { count: files.length });
}
