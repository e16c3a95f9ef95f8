import { skipToken, useQuery } from "@tanstack/react-query";
import { listFileMessages, type FileMessage } from "../../../contract/operations/messages.ts";
import { fetchData } from "../operations.ts";
import { useHasFeature } from "../service.ts";
import { fileKeys } from "./cache-updates.ts";

/** Returns the messages that have the file attached, newest version first; none while loading and where the service cannot tell. */
export function useFileMessages(fileId: number): readonly FileMessage[] {
  const isOffered = useHasFeature("messages");
  const { data = [] } = useQuery({
    queryKey: fileKeys.messages(fileId),
    queryFn: isOffered ? fetchData(listFileMessages, { params: { file_id: fileId } }) : skipToken,
  });
  return data;
}
