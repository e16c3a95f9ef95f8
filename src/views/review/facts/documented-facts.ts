/** Formats the documented members of a file's `common` that the ordinary page does not show, because it shows what they stand for. */
import type { FileCommon } from "../../../../contract/records.ts";
import { t } from "../../../lib/texts/review-facts.ts";
import { isUnknown } from "../../../lib/unknown-members.ts";
import type { Fact } from "./audio-facts.ts";

const STATES: Readonly<Record<string, string>> = {
  transcoded: t("processed"),
  transcoding: t("beingProcessed"),
  waiting: t("waiting"),
  failed: t("failed"),
};

/** Formats a processing state; an unknown one, which a service may have, stays readable: "queued_elsewhere" becomes "Queued elsewhere". */
export function formatProcessingState(state: string): string {
  if (state === "") return t("unknown");
  const text = state.replaceAll(/[_\s]+/g, " ").trim();
  return Object.hasOwn(STATES, state) ? STATES[state]! : text.charAt(0).toUpperCase() + text.slice(1);
}

export function documentedFacts(common: FileCommon): Fact[] {
  const formatFlag = (name: string, isSet: boolean) => t(isUnknown(common, name) ? "unknown" : isSet ? "yes" : "no");
  const formatId = (id: number) => (id > 0 ? String(id) : t("unknown"));
  return [
    { label: t("processing"), value: formatProcessingState(common.transcoding_status) },
    { label: t("compressed"), value: formatFlag("compressed_file_url", common.compressed_file_url !== null) },
    { label: t("shared"), value: formatFlag("is_shared", common.is_shared) },
    { label: t("blindDrop"), value: formatFlag("is_blind_drop", common.is_blind_drop) },
    { label: t("fileId"), value: formatId(common.id) },
    { label: t("projectId"), value: formatId(common.project_id) },
    { label: t("teamId"), value: formatId(common.file_team_id) },
  ];
}
