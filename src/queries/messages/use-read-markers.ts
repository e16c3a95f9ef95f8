/** Reads the read markers of others in a project's chat, and moves the user's own forward. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { moveReadMarker } from "../../../contract/operations/chat.ts";
import { listReaders } from "../../../contract/operations/messages.ts";
import { useClient } from "../../client/client.ts";
import { fetchData } from "../operations.ts";
import { patchProjects } from "../projects.ts";
import { useHasFeature } from "../service.ts";
import { useSendNewestSeen } from "../use-send-newest-seen.ts";
import { applyReadMarker, readerKeys } from "./read-state.ts";

const readerQueries = {
  /** Kept current by live signals. */
  project: (projectId: number) =>
    queryOptions({ queryKey: readerKeys.project(projectId), queryFn: fetchData(listReaders, { params: { project_id: projectId } }), staleTime: 60_000 }),
};

/** Returns how far the others have read a project's chat; undefined until loaded. */
export const useReaders = (projectId: number) => useQuery({ ...readerQueries.project(projectId), enabled: useHasFeature("messages") }).data;

/** Moves the read marker to the newest message once it was really seen. */
export function useMoveReadMarker(projectId: number, lastReadId: number | null, seenId: number | null): void {
  const client = useClient();
  const canMove = useHasFeature("chat");

  useEffect(() => {
    if (seenId === null) return;
    client.queryState.viewedProjectIds.add(projectId);
    return () => void client.queryState.viewedProjectIds.delete(projectId);
  }, [client, projectId, seenId]);

  useSendNewestSeen({
    lastReadId: lastReadId ?? 0,
    seenId: canMove ? seenId : null,
    send: (message_id) => client.api.data(moveReadMarker, { params: { project_id: projectId }, body: { message_id } }),
    onSent: (marker) => patchProjects(client, (projects) => applyReadMarker(projects, marker)),
  });
}
