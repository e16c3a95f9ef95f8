/** The consent page's data, and the apps that the user has connected. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { getConsent, listGrants, revokeGrant } from "../../contract/operations/oauth.ts";
import { removeById } from "./lists.ts";
import { fetchData, useOperation } from "./operations.ts";
import { useHasFeature } from "./service.ts";
import { ISSUED_ACCESS_KEY } from "./session.ts";

const grantQueries = {
  // Apps use their access at any time, so a visit and a return to the page refetch it.
  all: () => queryOptions({ queryKey: [...ISSUED_ACCESS_KEY, "apps"], queryFn: fetchData(listGrants, {}), staleTime: 0 }),
};

/** The parameters of an authorization request that the service knows. */
export const CONSENT_PARAMETERS = Object.keys(getConsent.query.shape);

/** What the app of an authorization request asks for. `parameters`: of the request, without repetitions. */
export const useConsent = (parameters: Record<string, string>, isEnabled: boolean) =>
  useQuery({
    queryKey: ["consent", parameters],
    queryFn: fetchData(getConsent, { query: parameters }),
    enabled: isEnabled,
    gcTime: 0,
  });

export const useGrants = () => useQuery({ ...grantQueries.all(), enabled: useHasFeature("oauth") });

export const useRevokeGrant = () =>
  useOperation(revokeGrant, (grant_id: number) => ({ params: { grant_id } }), {
    onSuccess: ({ queryClient }, _, id) => queryClient.setQueryData(grantQueries.all().queryKey, removeById(id)),
  });
