import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import { t } from "../../../lib/texts/chat-search.ts";
import { useProjectMembers } from "../../../queries/projects.ts";
import { TextField } from "../../../ui/Field.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { Select } from "../../../ui/Select.tsx";
import { createFormState, isSubmitted, type SearchState, submitFields, syncWithUrl } from "./search-state.ts";

/** Milliseconds without input before the search runs. */
const DEBOUNCE_MS = 250;
const CONTENTS = [
  [null, t("anything")],
  ["link", t("links")],
  ["file", t("files")],
] as const;

interface Props {
  projectId: number;
  searchState: SearchState;
  field: RefObject<HTMLInputElement | null>;
  onSearch(searchState: SearchState): void;
}

export function SearchForm({ projectId, searchState, field, onSearch }: Props) {
  const people = useProjectMembers(projectId).data ?? [];
  const [storedForm, setForm] = useState(() => createFormState(searchState));
  const form = syncWithUrl(storedForm, searchState);
  if (form !== storedForm) setForm(form);
  const { fields } = form;
  const updateSearch = (change: Partial<SearchState>) => {
    const next = { ...fields, ...change };
    setForm(submitFields(form, next));
    onSearch(next);
  };
  const onPause = useEffectEvent(() => updateSearch({}));
  const isFormSubmitted = isSubmitted(form);
  useEffect(() => {
    if (isFormSubmitted) return;
    const timer = setTimeout(onPause, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [fields.q, isFormSubmitted]);

  return (
    <form
      role="search"
      className="grid grid-cols-2 gap-2.5 border-b border-line px-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        updateSearch({});
      }}
    >
      <SearchField
        inputRef={field}
        className="col-span-2"
        label={t("keywords")}
        hint={t("keywordsHint")}
        maxLength={200}
        value={fields.q}
        onChange={(q) => setForm({ ...form, fields: { ...fields, q } })}
      />
      <Select
        label={t("by")}
        value={fields.by}
        options={[
          [null, t("anyone")],
          ...(fields.by !== null && !people.some(({ id }) => id === fields.by) ? [[fields.by, t("formerMember")] as const] : []),
          ...people.map(({ id, username }) => [id, username] as const),
        ]}
        onChange={(by) => updateSearch({ by })}
      />
      <Select label={t("has")} value={fields.has} options={CONTENTS} onChange={(has) => updateSearch({ has })} />
      <TextField type="date" label={t("from")} value={fields.from} max={fields.to || undefined} onChange={(from) => updateSearch({ from })} />
      <TextField type="date" label={t("to")} value={fields.to} min={fields.from || undefined} onChange={(to) => updateSearch({ to })} />
    </form>
  );
}
