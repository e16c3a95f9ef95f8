/** Queries and replaces the delivery rules of a team, and checks files against them. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { DeliveryCheck } from "../../../contract/delivery-records.ts";
import { checkDelivery, getDeliveryRules, setDeliveryRules } from "../../../contract/operations/delivery-rules.ts";
import type { BodyOf } from "../../api/http.ts";
import { useClient } from "../../client/client.ts";
import { invalidate } from "../query-client.ts";
import { isConflict } from "../describe-error.ts";
import { fetchData, useOperation } from "../operations.ts";
import { useHasFeature } from "../service.ts";
import { deliveryRulesKeys } from "./cache-updates.ts";

export type DeliveryRulesBody = BodyOf<typeof setDeliveryRules>;

/** Polling interval while a file is being analyzed, because the live channel may be down. */
const POLL_INTERVAL_MS = 4_000;

const rulesQuery = (teamId: number) =>
  queryOptions({
    queryKey: deliveryRulesKeys.team(teamId),
    queryFn: fetchData(getDeliveryRules, { params: { team_id: teamId } }),
    staleTime: 5 * 60_000,
  });

export const useDeliveryRules = (teamId: number) => useQuery(rulesQuery(teamId));

/** Replaces all rules of a team. */
export function useSetDeliveryRules(teamId: number) {
  const client = useClient();
  return useOperation(setDeliveryRules, (body: DeliveryRulesBody) => ({ params: { team_id: teamId }, body }), {
    onSuccess: (_, rules) => {
      client.queryClient.setQueryData(rulesQuery(teamId).queryKey, rules);
      invalidate(client, deliveryRulesKeys.checks);
    },
    onError: (error) => {
      if (isConflict(error)) invalidate(client, deliveryRulesKeys.team(teamId));
    },
  });
}

const pollWhilePending = ({ state: { data, error } }: { state: { data?: DeliveryCheck | undefined; error: Error | null } }) =>
  data?.pending && !error ? POLL_INTERVAL_MS : false;

/** Checks a version of a file, and again once it is analyzed. */
export function useDeliveryCheck(fileId: number, version: number | null) {
  return useQuery({
    queryKey: [...deliveryRulesKeys.file(fileId), version] as const,
    queryFn: fetchData(checkDelivery, { params: { file_id: fileId }, query: { version: version === null ? undefined : String(version) } }),
    enabled: useHasFeature("delivery-rules"),
    refetchInterval: pollWhilePending,
  });
}
