import type { FileCommon } from "../../../../contract/records.ts";
import { formatSize } from "../../../lib/file-size.ts";
import { t } from "../../../lib/messages/review-facts.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { usePeople } from "../../../queries/members/use-people.ts";
import type { Fact } from "../model/facts.ts";
import { createdAtOf, typeOf } from "../model/info.ts";

/** Returns the metadata that files of every kind have. */
export function useCommonFacts(common: FileCommon): Fact[] {
  const person = usePeople(common.project_id)(common.account_id);
  const createdAt = createdAtOf(common);
  const type = typeOf(common);
  return [
    { label: t("size"), value: formatSize(common.size) },
    ...(type ? [{ label: t("type"), value: type }] : []),
    ...(person ? [{ label: t("uploadedBy"), value: person.name }] : []),
    ...(createdAt && Number.isFinite(Date.parse(createdAt)) ? [{ label: t("uploaded"), value: formatDateTime(createdAt) }] : []),
  ];
}
