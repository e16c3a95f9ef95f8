import { ListFilter } from "lucide-react";
import { useRef, useState } from "react";
import { FocusScope } from "react-aria/FocusScope";
import { ENTRY_KINDS } from "../../../../contract/file-records.ts";
import { StatusBadge } from "../../../components/status/StatusBadge.tsx";
import { formatKey, formatNumber } from "../../../lib/format.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/files.ts";
import { useFacets } from "../../../queries/file-lists/file-list-queries.ts";
import { usePeople } from "../../../queries/members.ts";
import { Button, buttonClasses } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Floating } from "../../../ui/Floating.tsx";
import { Select } from "../../../ui/Select.tsx";
import { useDebouncedInput } from "../../../ui/text-input.ts";
import { kindName } from "../entry-labels.ts";
import { FieldFilters } from "./FieldFilters.tsx";
import { useFilesContext } from "../files-context.ts";
import { getChips, parseBpm, parseDay, toggleStatus, type UrlState, withoutChips } from "../url-state.ts";

const DEBOUNCE_MS = 500;

/** Opens the filter form. */
export function FilterButton() {
  const { urlState } = useFilesContext();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const count = getChips(urlState).length;
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
        className={classNames(buttonClasses("ghost"), "px-2!", count > 0 && "text-accent-text!")}
      >
        <ListFilter size={16} aria-hidden />
        <span className="max-tablet:sr-only">{t("filter")}</span>
        {count > 0 && (
          <span className="tabular rounded-full bg-accent-soft px-1.5 text-xs">
            {count}
            <span className="sr-only"> {t("filterActive")}</span>
          </span>
        )}
      </button>
      {isOpen && (
        <Floating label={t("filter")} anchor={button} onClose={() => setIsOpen(false)} className="w-88 p-4">
          <FocusScope autoFocus>
            <FilterForm />
          </FocusScope>
        </Floating>
      )}
    </>
  );
}

/** Renders all filters with the values that occur in the project. Changes apply at once. */
function FilterForm() {
  const { project, folder, isRecent, urlState, setUrlState } = useFilesContext();
  const facets = useFacets(project.id, folder.id);
  const personOf = usePeople(project.id);
  const { kinds = [], statuses = [], keys = [], tags = [], uploaders = [], bpm = null } = facets.data ?? {};
  return (
    <form className="flex flex-col gap-3.5" onSubmit={(event) => event.preventDefault()}>
      {facets.isError && (
        <p role="alert" className="text-sm text-danger">
          {t("filterOptionsFailed")}
        </p>
      )}
      <FacetSelect
        name="kind"
        anyLabel={t("anyKind")}
        options={ENTRY_KINDS.filter((kind) => kind !== "folder" || !isRecent).map((kind) => [
          kind,
          kindName(kind),
          kinds.find((facet) => facet.kind === kind)?.count ?? 0,
        ])}
      />
      <fieldset className="min-w-0">
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
                <span className="tabular ml-auto text-xs text-text-3">{formatNumber(count)}</span>
              </label>
            );
          })}
        </div>
      </fieldset>
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-sm font-medium">{t("tempo")}</legend>
        <div className="flex items-center gap-2">
          <BpmField name="bpmMin" label={t("tempoFrom")} placeholder={t("from")} />
          <span aria-hidden>–</span>
          <BpmField name="bpmMax" label={t("tempoTo")} placeholder={t("to")} />
        </div>
        {bpm && <p className="tabular mt-1.5 text-sm text-text-3">{t("tempoRange", { from: Math.floor(bpm.min), to: Math.ceil(bpm.max) })}</p>}
      </fieldset>
      <FacetSelect name="key" anyLabel={t("anyKey")} options={keys.map(({ key, count }) => [key, formatKey(key), count])} hint={t("keyHint")} />
      <FacetSelect name="tag" anyLabel={t("anyTag")} options={tags.map(({ tag, count }) => [tag, tag, count])} />
      <FacetSelect
        name="uploader"
        anyLabel={t("anyone")}
        options={uploaders.map(({ account_id, count }) => [account_id, personOf(account_id)?.name ?? t("formerMember"), count])}
      />
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-sm font-medium">{t("date")}</legend>
        <div className="flex items-center gap-2">
          <DayField name="from" label={t("dateFrom")} />
          <span aria-hidden>–</span>
          <DayField name="to" label={t("dateTo")} />
        </div>
      </fieldset>
      <FieldFilters />
      {getChips(urlState).length > 0 && (
        <Button variant="ghost" className="self-end" onClick={() => setUrlState(withoutChips)}>
          {t("clear")}
        </Button>
      )}
    </form>
  );
}

/** Returns the value of one filter and its setter. */
function useFilter<Name extends keyof UrlState>(name: Name) {
  const { urlState, setUrlState } = useFilesContext();
  return [urlState[name], (value: UrlState[Name]) => setUrlState((current) => ({ ...current, [name]: value }))] as const;
}

type FacetName = "kind" | "key" | "tag" | "uploader";

interface FacetSelectProps<Name extends FacetName> {
  name: Name;
  anyLabel: string;
  options: (readonly [value: NonNullable<UrlState[Name]>, name: string, count: number])[];
  hint?: string;
}

function FacetSelect<Name extends FacetName>({ name, anyLabel, options, ...rest }: FacetSelectProps<Name>) {
  const [value, setValue] = useFilter(name);
  const label: FacetName = name;
  const counted = options.map(([option, text, count]) => [option, t("optionCount", { name: text, count })] as const);
  // A value from the URL may not occur in the project.
  const missing = value === null || options.some(([option]) => option === value) ? [] : [[value, String(value)] as const];
  return <Select label={t(label)} value={value} options={[[null, anyLabel] as const, ...missing, ...counted]} onChange={setValue} {...rest} />;
}

function BpmField({ name, label, placeholder }: { name: "bpmMin" | "bpmMax"; label: string; placeholder: string }) {
  const [value, setValue] = useFilter(name);
  const { text, setText, commit } = useDebouncedInput(
    value === null ? "" : String(value),
    (input) => (input === "" || parseBpm(input) !== null) && setValue(parseBpm(input)),
    DEBOUNCE_MS,
  );
  return (
    <TextField
      label={label}
      labelHidden
      inputMode="decimal"
      autoComplete="off"
      className="min-w-0 flex-1"
      placeholder={placeholder}
      value={text}
      onChange={(input) => setText(input.replaceAll(",", ".").replaceAll(/[^\d.]/g, ""))}
      onBlur={() => commit()}
      onKeyDown={(event) => event.key === "Enter" && commit()}
    />
  );
}

function DayField({ name, label }: { name: "from" | "to"; label: string }) {
  const [value, setValue] = useFilter(name);
  return (
    <TextField
      label={label}
      labelHidden
      type="date"
      className="min-w-0 flex-1"
      value={value ?? ""}
      onChange={(input) => {
        const day = parseDay(input);
        if (input === "" || day !== null) setValue(day);
      }}
    />
  );
}
