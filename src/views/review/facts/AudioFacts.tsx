import { TriangleAlert } from "lucide-react";
import type { AudioFileInfo, FileCommon } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/review-facts.ts";
import { FactList } from "../components/FactList.tsx";
import { StatusHistory } from "../components/StatusHistory.tsx";
import { useCommonFacts } from "../components/use-common-facts.ts";
import { parseAnnotations } from "../model/annotations.ts";
import { audioFacts, loudnessFacts } from "../model/facts.ts";
import { warningsOf } from "../model/warnings.ts";
import { AnnotationTable } from "./AnnotationTable.tsx";

/** Renders an audio file's metadata, loudness with warnings, status history, and embedded annotations. */
export function AudioFacts({ common, info }: { common: FileCommon; info: AudioFileInfo }) {
  const facts = [...audioFacts(info), ...useCommonFacts(common)];
  return (
    <section aria-labelledby="facts" className="min-w-0 px-4 py-5 tablet:px-5">
      <h2 id="facts" className="font-semibold">
        {t("facts")}
      </h2>
      <FactList facts={facts} />
      <Loudness info={info} />
      <StatusHistory common={common} />
      <h3 className="mt-6 text-sm font-medium text-text-2">{t("annotations")}</h3>
      <AnnotationTable annotations={parseAnnotations(info.annotations)} />
    </section>
  );
}

function Loudness({ info }: { info: AudioFileInfo }) {
  const facts = loudnessFacts(info);
  const warnings = warningsOf(info);
  if (facts.length === 0 && warnings === null) return null;
  return (
    <>
      <h3 className="mt-6 text-sm font-medium text-text-2">{t("loudness")}</h3>
      <FactList facts={facts} />
      {warnings?.length === 0 && <p className="mt-3 text-text-2">{t("noWarnings")}</p>}
      {warnings && warnings.length > 0 && (
        <>
          <h3 className="mt-6 text-sm font-medium text-text-2">{t("warnings")}</h3>
          <ul className="mt-1.5 flex flex-col gap-2.5">
            {warnings.map(({ code, text, help }) => (
              <li key={`${code} ${text}`} className="flex gap-2.5">
                <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-accent-text" />
                <span className="min-w-0">
                  <span className="block font-medium">{text}</span>
                  {help !== null && <span className="block text-sm text-text-2">{help}</span>}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
