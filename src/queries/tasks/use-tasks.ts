import { useQuery } from "@tanstack/react-query";
import type { Task } from "../../../contract/task-records.ts";
import { useSession } from "../session/use-session.ts";
import { taskQueries } from "./options.ts";
import { taskPermissionsOf, type TaskPermissions } from "./rights.ts";

/** The tasks of a file, or of a folder with all that is in it. */
export const useTasks = (fileId: number, isFolder: boolean) => useQuery(taskQueries.forFile(fileId, isFolder));

/** What the person who is signed in has still to do. */
export const useOwnOpenTasks = () => useQuery(taskQueries.ownOpen());

/** What they had to do and is closed, newest first; asked for when it is shown. */
export const useOwnClosedTasks = (isEnabled: boolean) => useQuery({ ...taskQueries.ownClosed(), enabled: isEnabled });

/** What they may do with a task. */
export function useTaskPermissions(task: Task): TaskPermissions {
  const { account, role } = useSession();
  return taskPermissionsOf(task, { accountId: account.id, role });
}
