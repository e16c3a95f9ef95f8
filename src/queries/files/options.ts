/** Query of a file's info. */
import { queryOptions } from "@tanstack/react-query";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { getFileInfo } from "../../api/files.ts";
import { fileKeys } from "./keys.ts";
import { isProcessing } from "./state.ts";

/** Applies while processing continues, since the live channel may be down. */
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
