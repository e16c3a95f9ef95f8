import { useState } from "react";
import { searchItems } from "../../../lib/search.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { useProjects } from "../../../queries/projects.ts";
import { CheckField, FieldGroup } from "../../../ui/Field.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { Select } from "../../../ui/Select.tsx";

const REACH_OPTIONS = [
  ["all", t("allProjects")],
  ["some", t("someProjects")],
] as const;
/** Below this number the list needs no search. */
const SEARCHED_FROM = 8;
/** Projects that the list shows; the search finds the others. */
const MAX_SHOWN = 100;

interface ProjectsFieldProps {
  /** null: every project. */
  value: readonly number[] | null;
  /** The projects that the endpoint has been limited to, of which some may be deleted. */
  initial: readonly number[];
  error: string | undefined;
  onChange(value: readonly number[] | null): void;
}

/** Selects the projects whose events an endpoint gets. */
export function ProjectsField({ value, initial, error, onChange }: ProjectsFieldProps) {
  return (
    <div className="flex flex-col gap-2">
      <Select
        label={t("projects")}
        value={value === null ? "all" : "some"}
        options={REACH_OPTIONS}
        onChange={(reach) => onChange(reach === "all" ? null : [...initial])}
      />
      {value !== null && <ProjectList value={value} initial={initial} error={error} onChange={onChange} />}
    </div>
  );
}

function ProjectList({ value, initial, error, onChange }: ProjectsFieldProps & { value: readonly number[] }) {
  const loaded = useProjects().data;
  const [query, setQuery] = useState("");
  const projects = (loaded ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const deletedIds = loaded ? initial.filter((id) => !loaded.some((project) => project.id === id)) : [];
  const choices = [...projects, ...deletedIds.map((id) => ({ id, name: t("deletedProject") }))];
  const found = searchItems(choices, query, ({ name }) => name);
  return (
    <FieldGroup label={t("someProjectsCount", { count: value.length })} error={error}>
      <div className="rounded-md border border-line">
        {projects.length >= SEARCHED_FROM && (
          <SearchField
            label={t("findProject")}
            labelHidden
            placeholder={t("findProject")}
            value={query}
            onChange={setQuery}
            // The list is searched while one types; Enter must not submit the endpoint's form.
            onSubmit={() => undefined}
            className="p-2 pb-0"
          />
        )}
        <div className="flex max-h-52 flex-col gap-1 overflow-y-auto p-3">
          {found.slice(0, MAX_SHOWN).map(({ id, name }) => (
            <CheckField
              key={id}
              className="shrink-0"
              label={<bdi className="wrap-anywhere">{name}</bdi>}
              checked={value.includes(id)}
              onChange={(isChecked) => onChange(isChecked ? [...value, id] : value.filter((other) => other !== id))}
            />
          ))}
          {found.length === 0 && <p className="text-sm text-text-3">{t("noSuchProject")}</p>}
          {found.length > MAX_SHOWN && <p className="text-sm text-text-3">{t("moreProjects")}</p>}
        </div>
      </div>
    </FieldGroup>
  );
}
