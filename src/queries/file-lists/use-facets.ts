import { useQuery } from "@tanstack/react-query";
import { fileListQueries } from "./options.ts";

/** What occurs in a project's files, for menus that filter by it. */
export const useFacets = (projectId: number) => useQuery(fileListQueries.facets(projectId));
