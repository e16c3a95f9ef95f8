import type { AudioFileInfo, FileCommon } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/review.ts";
import { annotationsOf } from "../model/annotations.ts";
import { audioFacts } from "../model/facts.ts";
import { FactList } from "./FactList.tsx";
import { useCommonFacts } from "./use-common-facts.ts";

/** What is known of the file, and what it says of itself. */
export function AudioFacts({ common, info }: { common: FileCommon; info: AudioFileInfo }) {
  const facts = [...audioFacts(info), ...useCommonFacts(common)];
  const annotations = annotationsOf(info.annotations);
  return (
    <section aria-labelledby="facts" className="min-w-0 px-4 py-5 tablet:px-5">
      <h2 id="facts" className="font-semibold">
        {t("facts")}
      </h2>
      <FactList facts={facts} />
      <h3 className="mt-6 text-sm font-medium text-text-2">{t("annotations")}</h3>
      {annotations.length === 0 && <p className="mt-1 text-text-2">{t("noAnnotations")}</p>}
      <ul className="mt-1.5 flex flex-col gap-1.5">
        {annotations.map(({ name, value }, index) => (
          <li key={index} className="grid grid-cols-[minmax(0,8.5rem)_minmax(0,1fr)] gap-3">
            {name !== null && <bdi className="truncate text-text-2">{name}</bdi>}
            <bdi className={name === null ? "col-span-2 break-words whitespace-pre-wrap" : "break-words whitespace-pre-wrap"}>{value}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
