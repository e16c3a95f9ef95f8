import { useQuery } from "@tanstack/react-query";
import { fileQueries } from "./options.ts";

/** What the service knows of a file. */
export const useFileInfo = (fileId: number) => useQuery(fileQueries.info(fileId));
