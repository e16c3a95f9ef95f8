import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "../../api/api-error.ts";
import { setActingAccount } from "../../api/http.ts";
import { getSession } from "../../api/session.ts";
import type { Session } from "../../../contract/access-records.ts";

export const sessionQueries = {
  /** The current session; null when nobody is signed in. Every view except sign-in depends on it. */
  current: () =>
    queryOptions({
      queryKey: ["session"],
      queryFn: async ({ signal }): Promise<Session | null> => {
        try {
          const session = await getSession({ signal });
          setActingAccount(session.account.id);
          return session;
        } catch (error) {
          if (error instanceof ApiError && error.status === 401) return null;
          throw error;
        }
      },
      staleTime: 5 * 60_000,
    }),
};
