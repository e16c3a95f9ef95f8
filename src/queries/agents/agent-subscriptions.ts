/** Queries the event subscriptions of an agent and their deliveries, and changes them. */
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import * as operations from "../../../contract/operations/agent-subscriptions.ts";
import type { BodyOf } from "../../api/http.ts";
import type { ClientData } from "../../client/client.ts";
import { CURSOR_PAGES, fetchData, useOperation } from "../operations.ts";
import { AGENT_SUBSCRIPTIONS_KEY } from "./agent-keys.ts";

const DELIVERIES_PER_PAGE = 20;
/** No event tells of subscriptions and their deliveries. */
const POLL_MS = 5_000;

export interface SubscriptionRef {
  agentId: number;
  id: number;
}
const toParams = ({ agentId, id }: SubscriptionRef) => ({ agent_id: agentId, subscription_id: id });

const subscriptionsQuery = (agentId: number) =>
  queryOptions({
    queryKey: [...AGENT_SUBSCRIPTIONS_KEY, agentId],
    queryFn: fetchData(operations.listEventSubscriptions, { params: { agent_id: agentId } }),
  });
const deliveriesQuery = (ref: SubscriptionRef) =>
  infiniteQueryOptions({
    queryKey: [...AGENT_SUBSCRIPTIONS_KEY, ref.agentId, ref.id, "deliveries"],
    queryFn: ({ pageParam: cursor, signal, meta }) =>
      meta!.client.api.call(
        operations.listSubscriptionDeliveries,
        { params: toParams(ref), query: { cursor, limit: String(DELIVERIES_PER_PAGE) } },
        { signal },
      ),
    ...CURSOR_PAGES,
  });

/** Returns the subscriptions of an agent, oldest first, and looks now and then when each was delivered last. */
export const useSubscriptions = (agentId: number) => useQuery({ ...subscriptionsQuery(agentId), refetchInterval: POLL_MS });

/** Returns the deliveries of a subscription, newest first, and asks for new ones now and then. */
export function useSubscriptionDeliveries(ref: SubscriptionRef) {
  const query = useInfiniteQuery({ ...deliveriesQuery(ref), refetchInterval: POLL_MS });
  return { ...query, deliveries: query.data?.pages.flatMap(({ data }) => data) };
}

const refetch = ({ queryClient }: ClientData) => queryClient.invalidateQueries({ queryKey: AGENT_SUBSCRIPTIONS_KEY });

/** The response to a repeated request lacks the `secret`. */
export const useCreateSubscription = (agentId: number) =>
  useOperation(operations.createEventSubscription, (body: BodyOf<typeof operations.createEventSubscription>) => ({ params: { agent_id: agentId }, body }), {
    isIdempotent: true,
    onSuccess: refetch,
  });

export const useUpdateSubscription = (ref: SubscriptionRef) =>
  useOperation(operations.updateEventSubscription, (body: BodyOf<typeof operations.updateEventSubscription>) => ({ params: toParams(ref), body }), {
    onSuccess: refetch,
  });

export const useDeleteSubscription = (ref: SubscriptionRef) =>
  useOperation(operations.deleteEventSubscription, () => ({ params: toParams(ref) }), { onSuccess: refetch });

export const useRotateSubscriptionSecret = () =>
  useOperation(operations.rotateSubscriptionSecret, (ref: SubscriptionRef) => ({ params: toParams(ref) }), { isIdempotent: true, onSuccess: refetch });

export const useRedeliver = (ref: SubscriptionRef) =>
  useOperation(operations.redeliverSubscriptionDelivery, (delivery_id: number) => ({ params: { ...toParams(ref), delivery_id } }), { onSuccess: refetch });
