import { ENTRY_KINDS } from "../../../../contract/file-records.ts";
import { StatusBadge } from "../../../components/status/StatusBadge.tsx";
import { language } from "../../../lib/browser.ts";
import { t } from "../../../lib/texts/files.ts";
import { useFacets } from "../../../queries/file-lists/file-list-queries.ts";
import { usePeople } from "../../../queries/members.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { useDebouncedInput } from "../../../ui/text-input.ts";
import { kindName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { getChips, parseBpm, parseDay, toggleStatus, type UrlState, withoutChips } from "../url-state.ts";

const DEBOUNCE_MS = 500;

/** Renders all filters with the values that occur in the project. Changes apply at once. */
export function FilterForm() {
  const { project, urlState, setUrlState } = useFilesContext();
  const facets = useFacets(project.id);
  const personOf = usePeople(project.id);
  const { kinds = [], statuses = [], keys = [], tags = [], uploaders = [], bpm = null } = facets.data ?? {};
  const updateFilter = (change: Partial<UrlState>) => setUrlState((current) => ({ ...current, ...change }));
  const withCount = (name: string, count: number) => t("optionCount", { name, count });

  return (
    <form className="flex flex-col gap-3.5" onSubmit={(event) => event.preventDefault()}>
      {facets.isError && (
        <p role="alert" className="text-sm text-danger">
          {t("filterOptionsFailed")}
        </p>
      )}
      <FacetSelect
        label={t("kind")}
        anyLabel={t("anyKind")}
        value={urlState.kind}
        options={ENTRY_KINDS.map((kind) => [kind, withCount(kindName(kind), kinds.find((facet) => facet.kind === kind)?.count ?? 0)])}
        onChange={(kind) => updateFilter({ kind })}
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{t("status")}</legend>
        <div className="flex flex-col gap-0.5">
          {statuses.map(({ status, count }) => {
            const statusId = status?.id ?? "none";
            return (
              <label key={statusId} className="flex h-8 items-center gap-2.5 rounded-sm px-1 hover:bg-hover">
                <input
                  type="checkbox"
                  checked={urlState.status.includes(statusId)}
                  onChange={() => setUrlState((current) => toggleStatus(current, statusId))}
                />
                <StatusBadge status={status} />
                <span className="tabular ml-auto text-xs text-text-3">{count.toLocaleString(language)}</span>
              </label>
            );
          })}
        </div>
      </fieldset>
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{t("tempo")}</legend>
        <div className="flex items-center gap-2">
          <BpmField label={t("tempoFrom")} value={urlState.bpmMin} placeholder={bpm && Math.floor(bpm.min)} onChange={(bpmMin) => updateFilter({ bpmMin })} />
          <span aria-hidden>–</span>
          <BpmField label={t("tempoTo")} value={urlState.bpmMax} placeholder={bpm && Math.ceil(bpm.max)} onChange={(bpmMax) => updateFilter({ bpmMax })} />
        </div>
      </fieldset>
      <FacetSelect
        label={t("key")}
        anyLabel={t("anyKey")}
        value={urlState.key}
        options={keys.map(({ key, count }) => [key, withCount(key, count)])}
        onChange={(key) => updateFilter({ key })}
      />
      <FacetSelect
        label={t("tag")}
        anyLabel={t("anyTag")}
        value={urlState.tag}
        options={tags.map(({ tag, count }) => [tag, withCount(tag, count)])}
        onChange={(tag) => updateFilter({ tag })}
      />
      <FacetSelect
        label={t("uploader")}
        anyLabel={t("anyone")}
        value={urlState.uploader}
        options={uploaders.map(({ account_id, count }) => [account_id, withCount(personOf(account_id)?.name ?? t("formerMember"), count)])}
        onChange={(uploader) => updateFilter({ uploader })}
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{t("date")}</legend>
        <div className="flex items-center gap-2">
          <DayField label={t("dateFrom")} value={urlState.from} onChange={(from) => updateFilter({ from })} />
          <span aria-hidden>–</span>
          <DayField label={t("dateTo")} value={urlState.to} onChange={(to) => updateFilter({ to })} />
        </div>
      </fieldset>
      {getChips(urlState).length > 0 && (
        <Button variant="ghost" className="self-end" onClick={() => setUrlState(withoutChips)}>
          {t("clear")}
        </Button>
      )}
    </form>
  );
}

interface FacetSelectProps<V> {
  label: string;
  anyLabel: string;
  value: V | null;
  options: (readonly [value: V, name: string])[];
  onChange(value: V | null): void;
}

function FacetSelect<V extends string | number>({ anyLabel, value, options, ...rest }: FacetSelectProps<V>) {
  // A value from the URL may not occur in the project.
  const missing = value === null || options.some(([option]) => option === value) ? [] : [[value, String(value)] as const];
  return <Select {...rest} value={value} options={[[null, anyLabel], ...missing, ...options]} />;
}

function BpmField({
  label,
  value,
  placeholder,
  onChange,
}: {
  label: string;
  value: number | null;
  placeholder: number | null;
  onChange(bpm: number | null): void;
}) {
  const { text, setText, commit } = useDebouncedInput(
    value === null ? "" : String(value),
    (input) => (input === "" || parseBpm(input) !== null) && onChange(parseBpm(input)),
    DEBOUNCE_MS,
  );
  return (
    <TextField
      label={label}
      labelHidden
      inputMode="decimal"
      autoComplete="off"
      className="min-w-0 flex-1"
      placeholder={placeholder === null ? label : String(placeholder)}
      value={text}
      onChange={(input) => setText(input.replaceAll(",", ".").replaceAll(/[^\d.]/g, ""))}
      onBlur={() => commit()}
      onKeyDown={(event) => event.key === "Enter" && commit()}
    />
  );
}

function DayField({ label, value, onChange }: { label: string; value: string | null; onChange(day: string | null): void }) {
  return (
    <TextField
      label={label}
      labelHidden
      type="date"
      className="min-w-0 flex-1"
      value={value ?? ""}
      onChange={(input) => {
        const day = parseDay(input);
        if (input === "" || day !== null) onChange(day);
      }}
    />
  );
}
