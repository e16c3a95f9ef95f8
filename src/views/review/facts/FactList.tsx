import type { FileCommon } from "../../../../contract/records.ts";
import { formatSize } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/review-facts.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { usePeople } from "../../../queries/members.ts";
import { createdAtOf, typeOf } from "../file-info.ts";
import type { Fact } from "./audio-facts.ts";

/** Renders labels and values in a responsive grid. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="mt-3 grid grid-cols-2 gap-x-5 gap-y-3 tablet:grid-cols-3">
      {facts.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-sm text-text-2">{label}</dt>
          <dd className="tabular break-words">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

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
