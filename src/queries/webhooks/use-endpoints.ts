import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createEndpoint, deleteEndpoint, rotateSecret, sendTest, updateEndpoint, type EndpointInput } from "../../api/webhooks.ts";
import type { WebhookEventType } from "../../../contract/webhook-events.ts";
import { randomId } from "../../lib/random-id.ts";
import { useIdempotencyKey } from "../key-per-body.ts";
import { webhookKeys } from "./keys.ts";
import { webhookQueries } from "./options.ts";
import { upsertDelivery, upsertEndpoint, removeEndpoint } from "./put.ts";

/** The organisation's endpoints, oldest first. */
export const useEndpoints = () => useQuery(webhookQueries.endpoints());

/** Sending the same form again creates nothing twice: it is answered without the `secret`. */
export function useCreateEndpoint() {
  const client = useQueryClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: EndpointInput) => createEndpoint(body, idempotencyKeyFor(body)),
    // The secret stays in this answer only: the list is read anew without it.
    onSuccess: () => client.invalidateQueries({ queryKey: webhookKeys.endpoints, exact: true }),
  });
}

export function useUpdateEndpoint() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...changes }: Partial<EndpointInput> & { id: number }) => updateEndpoint(id, changes),
    onSuccess: (endpoint) => upsertEndpoint(client, endpoint),
  });
}

export function useDeleteEndpoint() {
  const client = useQueryClient();
  return useMutation({ mutationFn: deleteEndpoint, onSuccess: (_, id) => removeEndpoint(client, id) });
}

/** A new secret, told this once. */
export function useRotateSecret() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => rotateSecret(id, randomId()),
    onSuccess: () => client.invalidateQueries({ queryKey: webhookKeys.endpoints, exact: true }),
  });
}

/** Sends an example and answers with what came back. */
export function useSendTest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, type }: { id: number; type: WebhookEventType }) => sendTest(id, type, randomId()),
    onSuccess: (delivery) => {
      client.setQueryData(webhookQueries.delivery(delivery.id).queryKey, delivery);
      upsertDelivery(client, delivery);
    },
  });
}
