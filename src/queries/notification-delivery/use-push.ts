/** Push messages to this browser, and the list of browsers that get them. */
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import type { PushSubscriptionRecord } from "../../../contract/notification-delivery-records.ts";
import {
  createPushSubscription,
  deletePushSubscription,
  getPushKey,
  listPushSubscriptions,
  testPushSubscription,
} from "../../../contract/operations/notification-delivery.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import {
  findPushAddress,
  getPushPermission,
  getPushSupport,
  type PushSupport,
  requestPushPermission,
  subscribeToPush,
  unsubscribeFromPush,
} from "../../lib/browser-push.ts";
import { removeById } from "../lists.ts";
import { fetchData, useOperation } from "../operations.ts";
import { invalidate } from "../query-client.ts";
import { deliveryKeys } from "./cache-updates.ts";

const readBrowser = async () => ({ permission: getPushPermission(), isSubscribed: (await findPushAddress()) !== null });

const pushQueries = {
  subscriptions: () => queryOptions({ queryKey: deliveryKeys.subscriptions, queryFn: fetchData(listPushSubscriptions, {}) }),
  /** The browser tells nobody when it ends a subscription or when somebody changes its settings, so that each visit looks. */
  browser: () => queryOptions({ queryKey: deliveryKeys.browser, queryFn: readBrowser, staleTime: 0, gcTime: 0 }),
};

/** Name in storage of the account that has push messages to this browser, with their address: signing in again turns them on again. */
const STORED = "push";
const toStored = (accountId: number, endpoint: string): string => `${accountId} ${endpoint}`;

async function subscribe({ api, serviceStorage, queryClient }: ClientData, accountId: number): Promise<void> {
  const { public_key } = await api.data(getPushKey, {});
  const { endpoint, keys } = await subscribeToPush(public_key).catch((cause: unknown) => {
    throw new PushBrowserError("The browser could not subscribe", { cause });
  });
  const created = await api.data(createPushSubscription, { body: { endpoint, keys } });
  serviceStorage.set(STORED, toStored(accountId, endpoint));
  const withCreated = (others: PushSubscriptionRecord[] = []) => [created, ...others.filter(({ id, current }) => id !== created.id && !current)];
  queryClient.setQueryData(pushQueries.subscriptions().queryKey, withCreated);
  await queryClient.invalidateQueries(pushQueries.browser());
}

export type PushState = "loading" | "on" | "off" | "blocked" | Exclude<PushSupport, "supported">;

/** Returns whether this browser gets push messages, or why it cannot, and all browsers that do. */
export function usePush() {
  const subscriptions = useQuery(pushQueries.subscriptions());
  const browser = useQuery(pushQueries.browser());
  const support = getPushSupport();
  const current = subscriptions.data?.find((subscription) => subscription.current);
  const state = ((): PushState => {
    if (support !== "supported") return support;
    if (browser.data?.permission === "denied") return "blocked";
    if (subscriptions.data === undefined || browser.data === undefined) return "loading";
    return current && browser.data.isSubscribed ? "on" : "off";
  })();
  return { state, current, subscriptions };
}

/** The person, or a setting of the browser, does not allow notifications. */
export class PushDeniedError extends Error {}
/** The browser could not subscribe at its push service. */
export class PushBrowserError extends Error {}

export function useEnablePush(accountId: number) {
  const client = useClient();
  return useMutation({
    mutationFn: async () => {
      if ((await requestPushPermission()) !== "granted") throw new PushDeniedError();
      await subscribe(client, accountId);
    },
    onError: () => invalidate(client, deliveryKeys.browser),
  });
}

export function useDisablePush() {
  const client = useClient();
  return useMutation({
    async mutationFn({ id, current }: PushSubscriptionRecord) {
      await client.api.call(deletePushSubscription, { params: { subscription_id: id } });
      if (!current) return;
      client.serviceStorage.set(STORED, null);
      await unsubscribeFromPush();
    },
    onSuccess(_data, { id }) {
      client.queryClient.setQueryData(pushQueries.subscriptions().queryKey, removeById(id));
      invalidate(client, deliveryKeys.browser);
    },
  });
}

export const useTestPush = () => useOperation(testPushSubscription, (subscription_id: number) => ({ params: { subscription_id } }));

/** Subscribes this browser again after a sign-in, and after the browser or the service has got other keys. Does nothing unless the account turned it on here. */
export async function renewPush(client: ClientData, accountId: number): Promise<void> {
  const stored = client.serviceStorage.get(STORED);
  if (!stored?.startsWith(toStored(accountId, "")) || getPushSupport() !== "supported" || getPushPermission() !== "granted") return;
  const subscriptions = await client.queryClient.ensureQueryData(pushQueries.subscriptions());
  const address = await findPushAddress();
  const isCurrent = subscriptions.some(({ current }) => current) && address !== null && stored === toStored(accountId, address.endpoint);
  if (!isCurrent) await subscribe(client, accountId);
}
