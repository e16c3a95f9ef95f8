import type { FileStatus } from "../../../contract/records.ts";
import { t } from "../../lib/messages/status.ts";
import { commandKeys } from "../../lib/platform.ts";
import type { ChosenFile } from "../../queries/statuses/choices.ts";
import { useChoiceKeeper } from "../../queries/statuses/use-choices.ts";
import { announce } from "../../ui/announce.ts";
import { whatOf } from "./choice-words.ts";

/** Chooses a status for files of a team, and says that it can be taken back. */
export function useChoose(teamId: number): (files: readonly ChosenFile[], status: FileStatus, note?: string) => void {
  const keeper = useChoiceKeeper();
  return (files, status, note) => {
    const choice = keeper.choose(teamId, files, status, note);
    const what = whatOf(choice?.files ?? files);
    announce(choice ? t("chosen", { what, status: status.title, keys: commandKeys("Z") }) : t("undone", { what }));
  };
}
