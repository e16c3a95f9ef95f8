import { ListFilter } from "lucide-react";
import { type RefObject, useEffect, useEffectEvent, useId, useState } from "react";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/search.ts";
import { useMembers } from "../../queries/members.ts";
import { useProjects } from "../../queries/projects.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/Field.tsx";
import { SearchField } from "../../ui/SearchField.tsx";
import { Select } from "../../ui/Select.tsx";
import { submitTo } from "../../ui/text-input.ts";
import { countFilters, searchForms, type SearchParams } from "./search-params.ts";

/** Milliseconds without input before the search runs. */
const DEBOUNCE_MS = 200;

interface Props {
  params: SearchParams;
  field: RefObject<HTMLInputElement | null>;
  onSearch(params: SearchParams): void;
}

/** The field and the filters. The URL follows the field after a pause, and the filters at once. */
export function SearchForm({ params, field, onSearch }: Props) {
  const [storedForm, setForm] = useState(() => searchForms.create(params));
  const form = searchForms.syncWithUrl(storedForm, params);
  if (form !== storedForm) setForm(form);
  const { fields } = form;
  const update = (change: Partial<SearchParams>) => {
    const next = { ...fields, ...change };
    setForm(searchForms.submit(form, next));
    onSearch(next);
  };
  const onPause = useEffectEvent(() => update({}));
  const isSubmitted = searchForms.isSubmitted(form);
  useEffect(() => {
    if (isSubmitted) return;
    const timer = setTimeout(onPause, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [fields.q, isSubmitted]);

  return (
    <form role="search" className="flex flex-col gap-3" onSubmit={submitTo(() => update({}))}>
      <SearchField
        inputRef={field}
        label={t("field")}
        labelHidden
        placeholder={t("placeholder")}
        maxLength={200}
        value={fields.q}
        onChange={(q) => setForm({ ...form, fields: { ...fields, q } })}
      />
      <Filters params={fields} onChange={update} />
    </form>
  );
}

function Filters({ params, onChange }: { params: SearchParams; onChange(change: Partial<SearchParams>): void }) {
  const { projectId, personId, from, to } = params;
  const filtersId = useId();
  const count = countFilters(params);
  // Opened by hand on a phone, where the results need the space.
  const [isOpen, setIsOpen] = useState(count > 0);
  const projects = (useProjects().data ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const people = (useMembers().data ?? []).toSorted((a, b) => a.username.localeCompare(b.username));
  return (
    <>
      <Button icon={ListFilter} aria-expanded={isOpen} aria-controls={filtersId} className="self-start tablet:hidden" onClick={() => setIsOpen(!isOpen)}>
        {count > 0 ? t("filtersCount", { count }) : t("filters")}
      </Button>
      <div id={filtersId} className={classNames("grid grid-cols-2 gap-3 desktop:grid-cols-4", !isOpen && "max-tablet:hidden")}>
        <Select
          label={t("inProject")}
          value={projectId}
          options={[[null, t("anyProject")], ...projects.map(({ id, name }) => [id, name] as const)]}
          onChange={(value) => onChange({ projectId: value })}
        />
        <Select
          label={t("byPerson")}
          value={personId}
          options={[
            [null, t("anyone")],
            ...(personId !== null && !people.some(({ id }) => id === personId) ? [[personId, t("formerMember")] as const] : []),
            ...people.map(({ id, username }) => [id, username] as const),
          ]}
          onChange={(value) => onChange({ personId: value })}
        />
        <TextField type="date" label={t("from")} value={from} max={to || undefined} onChange={(value) => onChange({ from: value })} />
        <TextField type="date" label={t("to")} value={to} min={from || undefined} onChange={(value) => onChange({ to: value })} />
      </div>
    </>
  );
}
