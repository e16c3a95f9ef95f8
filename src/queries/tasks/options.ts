import { queryOptions } from "@tanstack/react-query";
import { listOwnClosedTasks, listOwnOpenTasks, listTaskTemplates, tasksByFolder } from "../../api/tasks.ts";
import { taskKeys } from "./keys.ts";

export const taskQueries = {
  /** Tasks of a file, or of a folder with everything in it. */
  forFile: (fileId: number, isFolder: boolean) =>
    queryOptions({
      queryKey: isFolder ? taskKeys.folder(fileId) : taskKeys.file(fileId),
      queryFn: ({ signal }) => tasksByFolder(fileId, { signal }),
    }),
  ownOpen: () => queryOptions({ queryKey: taskKeys.ownOpen, queryFn: ({ signal }) => listOwnOpenTasks({ signal }) }),
  ownClosed: () => queryOptions({ queryKey: taskKeys.ownClosed, queryFn: ({ signal }) => listOwnClosedTasks({ signal }) }),
  /** A team's templates, sorted by name. */
  templates: (teamId: number) => queryOptions({ queryKey: taskKeys.templates(teamId), queryFn: ({ signal }) => listTaskTemplates(teamId, { signal }) }),
};
