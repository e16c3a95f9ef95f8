import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import { t } from "../../../../lib/messages/chat-search.ts";
import { useProjectMembers } from "../../../../queries/projects/use-projects.ts";
import { SelectField, TextField } from "../../../../ui/Field.tsx";
import type { Searched } from "../../model/search-state.ts";

/** How long one pauses before what is written is searched for. */
const PAUSE_MS = 250;

interface Props {
  projectId: number;
  searched: Searched;
  field: RefObject<HTMLInputElement | null>;
  onSearch(searched: Searched): void;
}

export function SearchForm({ projectId, searched, field, onSearch }: Props) {
  const people = useProjectMembers(projectId).data ?? [];
  const [words, setWords] = useState({ text: searched.q, of: searched.q });
  // The address has changed by itself: by going back.
  if (words.of !== searched.q) setWords({ text: searched.q, of: searched.q });
  const search = (change: Partial<Searched>) => {
    const next = { ...searched, q: words.text, ...change };
    setWords({ text: next.q, of: next.q });
    onSearch(next);
  };
  const pause = useEffectEvent(() => search({}));
  useEffect(() => {
    if (words.text === searched.q) return;
    const timer = setTimeout(pause, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words.text, searched.q]);

  return (
    <form
      role="search"
      className="grid grid-cols-2 gap-2.5 border-b border-line px-4 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        search({});
      }}
    >
      <TextField
        ref={field}
        data-search-field
        className="col-span-2"
        type="search"
        label={t("words")}
        hint={t("wordsHint")}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        value={words.text}
        onChange={({ target }) => setWords({ ...words, text: target.value })}
      />
      <SelectField label={t("by")} value={searched.by ?? ""} onChange={({ target }) => search({ by: target.value === "" ? null : Number(target.value) })}>
        <option value="">{t("anybody")}</option>
        {searched.by !== null && !people.some(({ id }) => id === searched.by) && <option value={searched.by}>{t("formerMember")}</option>}
        {people.map(({ id, username }) => (
          <option key={id} value={id}>
            {username}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("has")}
        value={searched.has ?? ""}
        onChange={({ target }) => search({ has: target.value === "link" || target.value === "file" ? target.value : null })}
      >
        <option value="">{t("anything")}</option>
        <option value="link">{t("links")}</option>
        <option value="file">{t("files")}</option>
      </SelectField>
      <TextField type="date" label={t("from")} value={searched.from} max={searched.to || undefined} onChange={({ target }) => search({ from: target.value })} />
      <TextField type="date" label={t("to")} value={searched.to} min={searched.from || undefined} onChange={({ target }) => search({ to: target.value })} />
    </form>
  );
}
