import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createEndpoint, deleteEndpoint, rotateSecret, sendTest, updateEndpoint, type EndpointInput } from "../../api/webhooks.ts";
import type { WebhookEventType } from "../../../contract/webhook-events.ts";
import { randomId } from "../../lib/random-id.ts";
import { useIdempotencyKey } from "../key-per-body.ts";
import { webhookKeys } from "./keys.ts";
import { webhookQueries } from "./options.ts";
import { upsertDelivery, upsertEndpoint, removeEndpoint } from "./put.ts";

/** Returns the organization's endpoints, oldest first. */
export const useEndpoints = () => useQuery(webhookQueries.endpoints());

/** Resending the same form creates nothing twice; the repeated response lacks the `secret`. */
export function useCreateEndpoint() {
  const client = useQueryClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: EndpointInput) => createEndpoint(body, idempotencyKeyFor(body)),
    // Only this response contains the secret, so the list is refetched without it.
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

/** Creates a new secret, which only this response contains. */
export function useRotateSecret() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => rotateSecret(id, randomId()),
    onSuccess: () => client.invalidateQueries({ queryKey: webhookKeys.endpoints, exact: true }),
  });
}

/** Sends an example event and returns its delivery. */
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
