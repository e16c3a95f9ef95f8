import { useQuery } from "@tanstack/react-query";
import { readerQueries } from "./options.ts";

/** Returns how far the others have read a project's chat; undefined until loaded. */
export const useReaders = (projectId: number) => useQuery(readerQueries.project(projectId)).data;
