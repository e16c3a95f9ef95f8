import { expect, test } from "vitest";
import { ROLES, type Role } from "../../../contract/records.ts";
import { POLICY, type Actor } from "../../../server/access/access.ts";
import { taskPermissionsOf } from "./use-tasks.ts";

const ME = 5;
const actor = (role: Role) => ({ accountId: ME, role }) as Actor;

test.each(ROLES)("%s has exactly the task permissions that the service grants", (role) => {
  for (const writer of [ME, 6]) {
    for (const assignee of [ME, 6, null]) {
      const permissions = taskPermissionsOf({ created_by_account_id: writer, assignee_account_id: assignee }, { accountId: ME, role });
      expect(permissions).toEqual({
        canEdit: POLICY["task.edit"](actor(role), { own: writer === ME }),
        canDelete: POLICY["task.delete"](actor(role), { own: writer === ME }),
        // Assignees may close a task without being allowed to edit it.
        canClose: POLICY["task.edit"](actor(role), { own: writer === ME || assignee === ME }),
      });
    }
  }
});
