import { useQuery } from "@tanstack/react-query";
import { readerQueries } from "./options.ts";

/** How far the others have read a project's chat; undefined until it is known. */
export const useReaders = (projectId: number) => useQuery(readerQueries.project(projectId)).data;
