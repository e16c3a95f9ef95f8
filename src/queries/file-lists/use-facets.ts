import { useQuery } from "@tanstack/react-query";
import { fileListQueries } from "./options.ts";

/** Returns the values that occur in a project's files, for filter menus. */
export const useFacets = (projectId: number) => useQuery(fileListQueries.facets(projectId));
