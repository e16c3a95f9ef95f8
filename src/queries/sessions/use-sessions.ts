import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { endSession } from "../../api/sessions.ts";
import { deviceQueries } from "./options.ts";

export const useSessions = () => useQuery(deviceQueries.all());

export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: endSession,
    onSuccess: (_, id) => client.setQueryData(deviceQueries.all().queryKey, (sessions) => sessions?.filter((session) => session.id !== id)),
  });
}
