import { ArrowRight } from "lucide-react";
import type { MetadataField, MetadataImport, MetadataValue } from "../../../../contract/metadata-records.ts";
import { formatFieldValue } from "../../../components/metadata/field-values.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { usePeople } from "../../../queries/members.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { useFilesContext } from "../files-context.ts";

/** Number of problems, and of values, that are listed; the rest are counted. */
const SHOWN_ERRORS = 20;
const SHOWN_VALUES = 50;

/** Shows what an import would do: its problems by line, then the values that would change. */
export function ImportPreview({ projectId, result }: { projectId: number; result: MetadataImport }) {
  const { errors, error_count, changed_file_count, changed_value_count, unknown_columns } = result;
  const shown = errors.slice(0, SHOWN_ERRORS);
  return (
    <div className="flex flex-col gap-3">
      <div role="status" className="flex flex-col gap-3">
        {error_count > 0 && (
          <Notice title={t("errorCount", { count: error_count })}>
            <ul className="mt-1 flex max-h-50 flex-col gap-1 overflow-y-auto">
              {shown.map(({ line, column, message }, index) => (
                <li key={index} className="wrap-anywhere">
                  {column === null ? t("line", { line }) : t("lineColumn", { line, column })}: {message}
                </li>
              ))}
              {error_count > shown.length && <li>{t("andMore", { count: error_count - shown.length })}</li>}
            </ul>
          </Notice>
        )}
        {unknown_columns.length > 0 && <p className="text-sm text-text-2">{t("unknownColumns", { names: unknown_columns.join(", ") })}</p>}
        {changed_value_count > 0 ? (
          <p>{t(error_count > 0 ? "wouldChange" : "willChange", { count: changed_file_count, values: t("values", { count: changed_value_count }) })}</p>
        ) : (
          error_count === 0 && <p>{t("nothingChanges")}</p>
        )}
      </div>
      {result.changes.length > 0 && <Changes projectId={projectId} result={result} />}
    </div>
  );
}

/** Returns the first values that change, with their files. */
function takeValues(changes: MetadataImport["changes"], most: number) {
  let left = most;
  return changes.flatMap((change) => {
    const values = Object.entries(change.values).slice(0, left);
    left -= values.length;
    return values.length === 0 ? [] : [{ ...change, values }];
  });
}

/** Lists the first values that would change, by file. */
function Changes({ projectId, result: { changes, changed_value_count } }: { projectId: number; result: MetadataImport }) {
  const { fieldColumns } = useFilesContext();
  const personOf = usePeople(projectId);
  const fieldById = new Map(fieldColumns.fields.map((field) => [String(field.id), field]));
  const nameOf = (id: number) => personOf(id)?.name;
  const files = takeValues(changes, SHOWN_VALUES);
  const shownCount = files.reduce((sum, { values }) => sum + values.length, 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the list is scrolled by keyboard from here
    <section aria-label={t("changeList")} tabIndex={0} className="max-h-60 overflow-y-auto rounded-md border border-line px-3 py-2">
      <ul className="flex flex-col gap-2.5">
        {files.map(({ line, file_id, path, values, former_values: former }) => (
          <li key={file_id}>
            <p className="flex gap-2 font-medium">
              <bdi className="min-w-0 flex-1 wrap-anywhere">{path}</bdi>
              <span className="shrink-0 text-sm font-normal text-text-3">{t("line", { line })}</span>
            </p>
            <ul>
              {values.map(([id, value]) => {
                const field = fieldById.get(id);
                return field && <ChangedValue key={id} field={field} before={former?.[id]} after={value} nameOf={nameOf} />;
              })}
            </ul>
          </li>
        ))}
      </ul>
      {changed_value_count > shownCount && <p className="mt-2.5 text-text-2">{t("andMore", { count: changed_value_count - shownCount })}</p>}
    </section>
  );
}

interface ChangedValueProps {
  field: MetadataField;
  /** Undefined if the service does not say it. */
  before: MetadataValue | null | undefined;
  after: MetadataValue | null;
  nameOf(id: number): string | undefined;
}

function ChangedValue({ field, before, after, nameOf }: ChangedValueProps) {
  const format = (value: MetadataValue | null) => formatFieldValue(field, value, nameOf) ?? t("noValue");
  return (
    <li className="flex flex-wrap items-baseline gap-x-1.5 text-sm text-text-2">
      <bdi>{t("fieldLabel", { field: field.name })}</bdi>
      {before !== undefined && (
        <>
          <del className="min-w-0 wrap-anywhere">{format(before)}</del>
          <ArrowRight size={12} aria-hidden className="shrink-0 self-center" />
        </>
      )}
      <ins className="min-w-0 font-medium wrap-anywhere text-text no-underline">{format(after)}</ins>
    </li>
  );
}
