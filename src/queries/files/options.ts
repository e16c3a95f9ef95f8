/** The query of what the service knows of a file. */
import { queryOptions } from "@tanstack/react-query";
import type { FileInfoAnswer } from "../../../contract/records.ts";
import { getFileInfo } from "../../api/files.ts";
import { fileKeys } from "./keys.ts";
import { isUnderWay } from "./state.ts";

/** While processing goes on and nothing live tells of it. */
const LOOK_AGAIN_MS = 4_000;

export const lookAgain = ({ state: { data } }: { state: { data?: FileInfoAnswer | undefined } }) =>
  data && isUnderWay(data.common.transcoding_status) ? LOOK_AGAIN_MS : false;

export const fileQueries = {
  info: (fileId: number) =>
    queryOptions({
      queryKey: fileKeys.info(fileId),
      queryFn: ({ signal }) => getFileInfo(fileId, null, { signal }),
      refetchInterval: lookAgain,
    }),
};
