import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changePassword, updateAccount } from "../../api/account.ts";
import { memberQueries } from "../members/options.ts";
import { withMember } from "../members/cache.ts";
import { withAccount } from "../session/cache.ts";
import { sessionQueries } from "../session/options.ts";

/** Updates the signed-in user's profile. */
export function useUpdateAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: updateAccount,
    onSuccess: (account) => {
      client.setQueryData(sessionQueries.current().queryKey, (session) => withAccount(session, account));
      client.setQueryData(memberQueries.all().queryKey, (members) => withMember(members, account));
    },
  });
}

export const useChangePassword = () => useMutation({ mutationFn: changePassword });
