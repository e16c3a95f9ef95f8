/** The query of what the service knows of a file. */
import { queryOptions } from "@tanstack/react-query";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { getFileInfo } from "../../api/files.ts";
import { fileKeys } from "./keys.ts";
import { isProcessing } from "./state.ts";

/** While processing goes on and nothing live tells of it. */
const POLL_INTERVAL_MS = 4_000;

export const processingPollInterval = ({ state: { data } }: { state: { data?: FileInfoResponse | undefined } }) =>
  data && isProcessing(data.common.transcoding_status) ? POLL_INTERVAL_MS : false;

export const fileQueries = {
  info: (fileId: number) =>
    queryOptions({
      queryKey: fileKeys.info(fileId),
      queryFn: ({ signal }) => getFileInfo(fileId, null, { signal }),
      refetchInterval: processingPollInterval,
    }),
};
