import { expect, test } from "vitest";
import { ROLES } from "../../contract/records.ts";
import { canManageRole, permissionsOf, assignableRoles } from "./permissions.ts";

/** The roles that the service's policy allows each action. */
const EXPECTED_ROLES = {
  canManageMembers: ["owner", "admin"],
  canCreateProjects: ["owner", "admin", "member"],
  canCreateGroups: ["owner", "admin", "member"],
  canEditProjects: ["owner", "admin", "member"],
  canAddMembers: ["owner", "admin", "member"],
  canRemoveMembers: ["owner", "admin"],
  canInvite: ["owner", "admin"],
  canUploadFiles: ["owner", "admin", "member", "guest"],
  canSetStatuses: ["owner", "admin", "member"],
  canProcessFiles: ["owner", "admin", "member"],
  canManageTaskTemplates: ["owner", "admin", "member"],
  canManageWebhooks: ["owner", "admin"],
  canManageStatuses: ["owner", "admin"],
  canCorrectTags: ["owner", "admin", "member"],
};

test.each(ROLES)("%s has exactly the permissions of the role", (role) => {
  expect(permissionsOf(role)).toEqual(Object.fromEntries(Object.entries(EXPECTED_ROLES).map(([right, roles]) => [right, roles.includes(role)])));
});

test("only owners assign and manage owners; members and guests manage nobody", () => {
  expect(ROLES.map(assignableRoles)).toEqual([["owner", "admin", "member", "guest"], ["admin", "member", "guest"], [], []]);
  expect(ROLES.map((target) => canManageRole("owner", target))).toEqual([true, true, true, true]);
  expect(ROLES.map((target) => canManageRole("admin", target))).toEqual([false, true, true, true]);
  for (const role of ["member", "guest"] as const) expect(ROLES.some((target) => canManageRole(role, target))).toBe(false);
});
