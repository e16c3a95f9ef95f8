/** Queries the metadata templates of a team. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { MetadataField, MetadataTemplate } from "../../../contract/metadata-records.ts";
import { appliesToKind } from "../../../contract/metadata-values.ts";
import * as operations from "../../../contract/operations/metadata.ts";
import { fetchData } from "../operations.ts";
import { useHasFeature } from "../service.ts";
import { metadataKeys } from "./cache-updates.ts";

const templatesQuery = (teamId: number) =>
  queryOptions({
    queryKey: metadataKeys.templates(teamId),
    queryFn: fetchData(operations.listMetadataTemplates, { params: { team_id: teamId } }),
    staleTime: 5 * 60_000,
  });

const NO_FIELDS: readonly MetadataField[] = [];

export function useTemplates(teamId: number) {
  const hasMetadata = useHasFeature("metadata");
  return useQuery({ ...templatesQuery(teamId), enabled: hasMetadata && teamId > 0 });
}

/** Returns all fields of a team's templates, in order; none if the service has no metadata. */
export function useFields(teamId: number): readonly MetadataField[] {
  const { data } = useTemplates(teamId);
  return useMemo(() => data?.flatMap(({ fields }) => fields) ?? NO_FIELDS, [data]);
}

/** Returns the templates whose fields files of this kind have. */
export const templatesForKind = (templates: readonly MetadataTemplate[], kind: string): MetadataTemplate[] =>
  templates.filter((template) => template.fields.length > 0 && appliesToKind(template, kind));
