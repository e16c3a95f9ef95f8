import { useQuery } from "@tanstack/react-query";
import type { Task } from "../../../contract/task-records.ts";
import { useSession } from "../session/use-session.ts";
import { taskQueries } from "./options.ts";
import { taskRightsOf, type TaskRights } from "./rights.ts";

/** The tasks of a file, or of a folder with all that is in it. */
export const useTasksOf = (fileId: number, isFolder: boolean) => useQuery(taskQueries.of(fileId, isFolder));

/** What the person who is signed in has still to do. */
export const useOwnOpenTasks = () => useQuery(taskQueries.ownOpen());

/** What they had to do and is closed, newest first; asked for when it is shown. */
export const useOwnClosedTasks = (shown: boolean) => useQuery({ ...taskQueries.ownClosed(), enabled: shown });

/** What they may do with a task. */
export function useTaskRights(task: Task): TaskRights {
  const { account, role } = useSession();
  return taskRightsOf(task, { accountId: account.id, role });
}
