import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";

const keyOf = (projectId: number) => ["drafts", projectId];

/** What is being written in a project; kept while other views are open, gone with its writer's session. */
export function useDraft(projectId: number): [draft: string, setDraft: (text: string) => void] {
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => client.getQueryData<string>(keyOf(projectId)) ?? "");
  const change = useCallback(
    (text: string) => {
      setDraft(text);
      client.setQueryDefaults(["drafts"], { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData(keyOf(projectId), text);
    },
    [client, projectId],
  );
  return [draft, change];
}
