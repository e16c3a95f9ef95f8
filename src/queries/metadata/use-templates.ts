/** Queries the metadata templates of a team. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { MetadataTemplate } from "../../../contract/metadata-records.ts";
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

export function useTemplates(teamId: number) {
  const hasMetadata = useHasFeature("metadata");
  return useQuery({ ...templatesQuery(teamId), enabled: hasMetadata && teamId > 0 });
}

/** Returns the templates whose fields files of this kind have. */
export const templatesForKind = (templates: readonly MetadataTemplate[], kind: string): MetadataTemplate[] =>
  templates.filter((template) => template.fields.length > 0 && appliesToKind(template, kind));
