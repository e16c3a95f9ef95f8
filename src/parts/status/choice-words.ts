import { t } from "../../lib/messages/status.ts";
import type { Choice, ChosenFile } from "../../queries/statuses/choices.ts";

/** The file by its name, or how many. */
export const whatOf = (files: readonly ChosenFile[]): string => (files.length === 1 ? files[0]!.name : t("files", { count: files.length }));

/** Of what the page says of a choice whose files have another status meanwhile. */
export function overtakenWords({ files }: Choice): string {
  const [first] = files;
  return files.length === 1 && first
    ? t("overtaken", { what: first.name, now: first.before?.title ?? t("none") })
    : t("overtakenSeveral", { count: files.length });
}
