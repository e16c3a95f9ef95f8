/** Moves the templates of a team, and the fields inside a template; the new order shows at once. */
import { useMutation } from "@tanstack/react-query";
import type { MetadataTemplate } from "../../../contract/metadata-records.ts";
import { updateMetadataField, updateMetadataTemplate } from "../../../contract/operations/metadata.ts";
import type { Api } from "../../api/http.ts";
import { useClient } from "../../client/client.ts";
import { countTemplateMoves, metadataKeys, templatesQueue } from "./cache-updates.ts";

interface Move {
  id: number;
  position: number;
}
type Templates = readonly MetadataTemplate[];

/** Sends moves one after the other, so that the last one counts. */
function useMove(teamId: number, send: (api: Api, move: Move) => Promise<unknown>, apply: (templates: Templates, move: Move) => Templates) {
  const client = useClient();
  const { queryClient, api } = client;
  const queryKey = metadataKeys.templates(teamId);
  const refetch = () => queryClient.invalidateQueries({ queryKey });
  const mutation = useMutation({
    mutationKey: [...queryKey, "move"],
    mutationFn: (move: Move) => send(api, move),
    scope: { id: templatesQueue(teamId) },
    onMutate: async (move) => {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData<Templates>(queryKey, (templates) => templates && apply(templates, move));
    },
    // Moving a row by keyboard sends many requests, of which only the last one refetches. It is over then, so that live events during the refetch count.
    onSettled() {
      if (countTemplateMoves(client, teamId) === 1) void refetch();
    },
  });
  /** Returns the templates in the cache, since key presses outpace rendering. */
  const latest = (): Templates => queryClient.getQueryData<Templates>(queryKey) ?? [];
  return { ...mutation, latest };
}

export const useMoveTemplate = (teamId: number) =>
  useMove(
    teamId,
    (api, { id, position }) => api.data(updateMetadataTemplate, { params: { template_id: id }, body: { position } }),
    (templates, move) => moveById(templates, move),
  );

/** Moves a field to another place in its template. */
export const useMoveField = (teamId: number) =>
  useMove(
    teamId,
    (api, { id, position }) => api.data(updateMetadataField, { params: { field_id: id }, body: { position } }),
    (templates, move) => templates.map((template) => ({ ...template, fields: [...moveById(template.fields, move)] })),
  );

function moveById<T extends { id: number }>(list: readonly T[], { id, position }: Move): readonly T[] {
  const item = list.find((one) => one.id === id);
  return item ? list.filter((one) => one !== item).toSpliced(position, 0, item) : list;
}
