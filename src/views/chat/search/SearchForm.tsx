import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import { t } from "../../../lib/texts/chat-search.ts";
import { useProjectMembers } from "../../../queries/projects.ts";
import { SelectField, TextField } from "../../../ui/Field.tsx";
import { createFormState, isSubmitted, type SearchState, submitFields, syncWithUrl } from "./search-state.ts";

/** Milliseconds without input before the search runs. */
const DEBOUNCE_MS = 250;

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
      <TextField
        ref={field}
        data-search-field
        className="col-span-2"
        type="search"
        label={t("keywords")}
        hint={t("keywordsHint")}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        value={fields.q}
        onChange={({ target }) => setForm({ ...form, fields: { ...fields, q: target.value } })}
      />
      <SelectField label={t("by")} value={fields.by ?? ""} onChange={({ target }) => updateSearch({ by: target.value === "" ? null : Number(target.value) })}>
        <option value="">{t("anyone")}</option>
        {fields.by !== null && !people.some(({ id }) => id === fields.by) && <option value={fields.by}>{t("formerMember")}</option>}
        {people.map(({ id, username }) => (
          <option key={id} value={id}>
            {username}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("has")}
        value={fields.has ?? ""}
        onChange={({ target }) => updateSearch({ has: target.value === "link" || target.value === "file" ? target.value : null })}
      >
        <option value="">{t("anything")}</option>
        <option value="link">{t("links")}</option>
        <option value="file">{t("files")}</option>
      </SelectField>
      <TextField
        type="date"
        label={t("from")}
        value={fields.from}
        max={fields.to || undefined}
        onChange={({ target }) => updateSearch({ from: target.value })}
      />
      <TextField type="date" label={t("to")} value={fields.to} min={fields.from || undefined} onChange={({ target }) => updateSearch({ to: target.value })} />
    </form>
  );
}
