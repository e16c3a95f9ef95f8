import { useQuery } from "@tanstack/react-query";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { fileKeys } from "./cache-updates.ts";

/** Returns the project of a file whose info is cached; it sends no request, so that the shell can ask while the file's page loads. */
export const useProjectOfFile = (fileId: number): number | undefined =>
  useQuery<FileInfoResponse, Error, number>({ queryKey: fileKeys.info(fileId), enabled: false, select: ({ common }) => common.project_id }).data;
