import { t } from "../../../lib/messages/review-facts.ts";
import type { Annotation } from "../model/annotations.ts";

/** Renders a file's embedded annotations as a table. Text that is not a table is shown as is. */
export function AnnotationTable({ annotations }: { annotations: readonly Annotation[] }) {
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
