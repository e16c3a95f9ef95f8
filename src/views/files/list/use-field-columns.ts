/** Which metadata fields the list shows as columns: those that the person chose for the project in this browser, else the first ones of the team. */
import { useMemo, useState } from "react";
import type { MetadataField } from "../../../../contract/metadata-records.ts";
import type { Project } from "../../../../contract/records.ts";
import { useClient } from "../../../client/client.ts";
import { parseJson } from "../../../lib/parse-json.ts";
import { useFields } from "../../../queries/metadata/use-templates.ts";

export interface FieldColumns {
  /** All fields of the team. */
  fields: readonly MetadataField[];
  /** True while the fields are not known, so that the listing is not loaded without its columns first. */
  isLoading: boolean;
  /** Those with a column, in the order of the templates. */
  shown: readonly MetadataField[];
  ids: readonly number[];
  setShown(field: MetadataField, isShown: boolean): void;
}

const DEFAULT_COLUMN_COUNT = 3;
export const NO_FIELDS: readonly number[] = [];

/** Parses the stored ids; null if none are stored. */
function parseIds(text: string | null): readonly number[] | null {
  const ids: unknown = parseJson(text ?? "");
  return Array.isArray(ids) ? ids.filter((id): id is number => Number.isSafeInteger(id)) : null;
}

export function useFieldColumns({ id, team_id }: Pick<Project, "id" | "team_id">): FieldColumns {
  const { serviceStorage: storage } = useClient();
  const { fields, isLoading } = useFields(team_id);
  const [chosen, setChosen] = useState(() => parseIds(storage.get(`columns.${id}`)));
  const shown = useMemo(
    () => (chosen === null ? fields.slice(0, DEFAULT_COLUMN_COUNT) : fields.filter((field) => chosen.includes(field.id))),
    [chosen, fields],
  );
  const ids = useMemo(() => (shown.length === 0 ? NO_FIELDS : shown.map((field) => field.id)), [shown]);
  return {
    fields,
    isLoading,
    shown,
    ids,
    setShown(field, isShown) {
      const next = isShown ? [...ids, field.id] : ids.filter((other) => other !== field.id);
      setChosen(next);
      storage.set(`columns.${id}`, JSON.stringify(next));
    },
  };
}
