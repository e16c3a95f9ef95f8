import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { listFiles } from "../../../contract/operations/files-view.ts";
import { fetchData } from "../operations.ts";
import { playlistKeys } from "./cache-updates.ts";

/** More are found by searching. */
export const MAX_AUDIO_FILES = 50;

/** Returns the newest audio files of a project whose name contains `q`. */
export const useAudioFiles = (projectId: number, q: string) =>
  useQuery({
    queryKey: playlistKeys.candidates(projectId, q),
    queryFn: fetchData(listFiles, {
      params: { project_id: projectId },
      query: { deep: "true", kind: "audio", sort: "changed", order: "desc", limit: MAX_AUDIO_FILES, ...(q === "" ? {} : { q }) },
    }),
    placeholderData: keepPreviousData,
  });
