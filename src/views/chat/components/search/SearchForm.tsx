import { useEffect, useEffectEvent, useState, type RefObject } from "react";
import { t } from "../../../../lib/messages/chat-search.ts";
import { useProjectMembers } from "../../../../queries/projects/use-projects.ts";
import { SelectField, TextField } from "../../../../ui/Field.tsx";
import type { Searched } from "../../model/search-state.ts";
import { ask, follow, isAsked, wordsOf } from "../../model/search-wish.ts";

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
  const [known, setWords] = useState(() => wordsOf(searched));
  const words = follow(known, searched);
  if (words !== known) setWords(words);
  const { wish } = words;
  const search = (change: Partial<Searched>) => {
    const next = { ...wish, ...change };
    setWords(ask(words, next));
    onSearch(next);
  };
  const pause = useEffectEvent(() => search({}));
  const asked = isAsked(words);
  useEffect(() => {
    if (asked) return;
    const timer = setTimeout(pause, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wish.q, asked]);

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
        value={wish.q}
        onChange={({ target }) => setWords({ ...words, wish: { ...wish, q: target.value } })}
      />
      <SelectField label={t("by")} value={wish.by ?? ""} onChange={({ target }) => search({ by: target.value === "" ? null : Number(target.value) })}>
        <option value="">{t("anybody")}</option>
        {wish.by !== null && !people.some(({ id }) => id === wish.by) && <option value={wish.by}>{t("formerMember")}</option>}
        {people.map(({ id, username }) => (
          <option key={id} value={id}>
            {username}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("has")}
        value={wish.has ?? ""}
        onChange={({ target }) => search({ has: target.value === "link" || target.value === "file" ? target.value : null })}
      >
        <option value="">{t("anything")}</option>
        <option value="link">{t("links")}</option>
        <option value="file">{t("files")}</option>
      </SelectField>
      <TextField type="date" label={t("from")} value={wish.from} max={wish.to || undefined} onChange={({ target }) => search({ from: target.value })} />
      <TextField type="date" label={t("to")} value={wish.to} min={wish.from || undefined} onChange={({ target }) => search({ to: target.value })} />
    </form>
  );
}
