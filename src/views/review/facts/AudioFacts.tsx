import { TriangleAlert } from "lucide-react";
import type { AudioFileInfo, FileCommon } from "../../../../contract/records.ts";
import { t } from "../../../lib/texts/review-facts.ts";
import { type Annotation, parseAnnotations } from "./annotations.ts";
import { audioFacts, loudnessFacts, warningsOf } from "./audio-facts.ts";
import { FactList, useCommonFacts } from "./FactList.tsx";
import { StatusHistory } from "./StatusHistory.tsx";

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

/** Renders a file's embedded annotations as a table. Text that is not a table is shown as is. */
function AnnotationTable({ annotations }: { annotations: readonly Annotation[] }) {
  if (annotations.length === 0) return <p className="mt-1 text-text-2">{t("noAnnotations")}</p>;
  const rows = annotations.filter(({ name }) => name !== null);
  return (
    <>
      {annotations.map(
        ({ name, value }, index) =>
          name === null && (
            <p key={index} dir="auto" className="mt-1.5 wrap-anywhere whitespace-pre-wrap">
              {value}
            </p>
          ),
      )}
      {rows.length > 0 && (
        <table className="mt-1.5 w-full table-fixed border-collapse text-left">
          <colgroup>
            <col className="w-34" />
            <col />
          </colgroup>
          <thead className="sr-only">
            <tr>
              <th scope="col">{t("annotationName")}</th>
              <th scope="col">{t("annotationValue")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, value }, index) => (
              <tr key={index} className="border-b border-line align-top last:border-0">
                <th scope="row" className="py-1.5 pr-3 font-normal wrap-anywhere text-text-2">
                  <bdi>{name}</bdi>
                </th>
                <td className="py-1.5 wrap-anywhere whitespace-pre-wrap">
                  <bdi>{value}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
