import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { endSession } from "../../api/sessions.ts";
import { sessionListQueries } from "./options.ts";

export const useSessions = () => useQuery(sessionListQueries.all());

export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: endSession,
    onSuccess: (_, id) => client.setQueryData(sessionListQueries.all().queryKey, (sessions) => sessions?.filter((session) => session.id !== id)),
  });
}
