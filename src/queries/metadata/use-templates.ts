/** Queries the metadata templates of a team, and changes them and their fields. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { MetadataField, MetadataTemplate } from "../../../contract/metadata-records.ts";
import { appliesToKind } from "../../../contract/metadata-values.ts";
import * as operations from "../../../contract/operations/metadata.ts";
import { ApiError } from "../../api/api-error.ts";
import type { BodyOf } from "../../api/http.ts";
import type { ClientData } from "../../client/client.ts";
import { fetchData, useOperation } from "../operations.ts";
import { useHasFeature } from "../service.ts";
import { metadataKeys, templatesQueue } from "./cache-updates.ts";

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

/** Returns all fields of a team's templates, in order; none if the service has no metadata. `isLoading`: until the first response, also if it is an error. */
export function useFields(teamId: number): { fields: readonly MetadataField[]; isLoading: boolean } {
  const { data, isLoading, failureCount } = useTemplates(teamId);
  const fields = useMemo(() => data?.flatMap((template) => template.fields) ?? NO_FIELDS, [data]);
  return { fields, isLoading: isLoading && failureCount === 0 };
}

/** Returns the templates whose fields files of this kind have. */
export const templatesForKind = (templates: readonly MetadataTemplate[], kind: string): MetadataTemplate[] =>
  templates.filter((template) => template.fields.length > 0 && appliesToKind(template, kind));

/** Refetches the templates before the change counts as done, since a change of order moves others too. */
const refetch = (teamId: number) => (client: ClientData) => client.queryClient.invalidateQueries({ queryKey: metadataKeys.templates(teamId) });

export const useCreateTemplate = (teamId: number) =>
  useOperation(operations.createMetadataTemplate, (body: BodyOf<typeof operations.createMetadataTemplate>) => ({ params: { team_id: teamId }, body }), {
    isIdempotent: true,
    onSuccess: refetch(teamId),
  });

export const useUpdateTemplate = (teamId: number) =>
  useOperation(
    operations.updateMetadataTemplate,
    ({ id, ...body }: BodyOf<typeof operations.updateMetadataTemplate> & { id: number }) => ({ params: { template_id: id }, body }),
    { queue: templatesQueue(teamId), onSuccess: refetch(teamId) },
  );

export const useDeleteTemplate = (teamId: number) =>
  useOperation(operations.deleteMetadataTemplate, (id: number) => ({ params: { template_id: id } }), { onSuccess: refetch(teamId) });

export const useRestoreTemplate = (teamId: number) =>
  useOperation(operations.restoreMetadataTemplate, (id: number) => ({ params: { template_id: id } }), { onSuccess: refetch(teamId) });

export const useCreateField = (teamId: number, templateId: number) =>
  useOperation(operations.createMetadataField, (body: BodyOf<typeof operations.createMetadataField>) => ({ params: { template_id: templateId }, body }), {
    isIdempotent: true,
    onSuccess: refetch(teamId),
  });

export const useUpdateField = (teamId: number) =>
  useOperation(
    operations.updateMetadataField,
    ({ id, ...body }: BodyOf<typeof operations.updateMetadataField> & { id: number }) => ({ params: { field_id: id }, body }),
    { queue: templatesQueue(teamId), onSuccess: refetch(teamId) },
  );

/** Returns how many files would lose a value by the change that was refused; undefined if it was refused for another reason. */
export const lostValueCountOf = (error: unknown): number | undefined => (error instanceof ApiError ? error.lostValueCount : undefined);

/** Counts the values that files have for the fields of a template, anew each time, because nothing keeps the number current. */
export const useTemplateUsage = (templateId: number, isEnabled = true) =>
  useQuery({
    queryKey: metadataKeys.usage(templateId),
    queryFn: fetchData(operations.getMetadataTemplateUsage, { params: { template_id: templateId } }),
    enabled: isEnabled,
    staleTime: 0,
    gcTime: 0,
  });

export const useDeleteField = (teamId: number) =>
  useOperation(operations.deleteMetadataField, (id: number) => ({ params: { field_id: id } }), { onSuccess: refetch(teamId) });

export const useRestoreField = (teamId: number) =>
  useOperation(operations.restoreMetadataField, (id: number) => ({ params: { field_id: id } }), { onSuccess: refetch(teamId) });
