import { useQuery } from "@tanstack/react-query";
import type { Task } from "../../../contract/task-records.ts";
import { useSession } from "../session/use-session.ts";
import { taskQueries } from "./options.ts";
import { taskPermissionsOf, type TaskPermissions } from "./rights.ts";

/** Returns the tasks of a file, or of a folder with everything in it. */
export const useTasks = (fileId: number, isFolder: boolean) => useQuery(taskQueries.forFile(fileId, isFolder));

/** Returns the user's open tasks. */
export const useOwnOpenTasks = () => useQuery(taskQueries.ownOpen());

/** Returns the user's closed tasks, newest first; fetched only when `isEnabled`. */
export const useOwnClosedTasks = (isEnabled: boolean) => useQuery({ ...taskQueries.ownClosed(), enabled: isEnabled });

/** Returns what the user may do with a task. */
export function useTaskPermissions(task: Task): TaskPermissions {
  const { account, role } = useSession();
  return taskPermissionsOf(task, { accountId: account.id, role });
}
