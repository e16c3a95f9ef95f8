import { describe, expect, test } from "vitest";
import { SCOPES, type Operation } from "../../contract/define-operation.ts";
import { operations } from "../../contract/operations/all.ts";
import { POLICY, type Rule } from "../../contract/policy.ts";
import { ROLES, type Role } from "../../contract/records.ts";
import { describeScope } from "./scope-labels.ts";

const OPERATIONS: Operation[] = Object.values(operations);
/** Facts of a record that the account owns and that is about the account itself. */
const OWN = { isOwn: true, isAssignee: true, isClosing: true, isResolving: true, isDeletedByOther: false, isRoot: false, isProtected: false, isFinal: false };
const FACTS = [
  { ...OWN, targetRole: "guest", newRole: "guest" },
  { ...OWN, isOwn: false, targetRole: "guest", newRole: "guest" },
];
const isAllowedBy = (rule: Rule, role: Role, facts: object): boolean => (POLICY[rule] as (role: Role, facts: object) => boolean)(role, facts);
const rulesOf = (scope: string): Rule[] => OPERATIONS.filter((operation) => operation.scope === scope).map(({ rule }) => rule);

describe("what a scope allows", () => {
  test("every scope has a text for every role, and no two scopes have the same", () => {
    for (const role of ROLES) {
      const labels = SCOPES.map((scope) => describeScope(scope, [], role).label);
      expect(new Set(labels).size).toBe(SCOPES.length);
      for (const [index, label] of labels.entries()) expect(label).not.toBe(SCOPES[index]);
    }
  });

  test.each(ROLES)("a scope is said to have no effect exactly if the policy denies the role %s all its operations", (role) => {
    for (const scope of SCOPES) {
      const isUseless = rulesOf(scope).every((rule) => FACTS.every((facts) => !isAllowedBy(rule, role, facts)));
      const { hasEffect, roleLimit } = describeScope(scope, [], role);
      expect([hasEffect, roleLimit.startsWith("No effect")], scope).toEqual([!isUseless, isUseless]);
    }
  });

  test("a guest with the scope admin can only leave projects, and a member manages neither people nor statuses", () => {
    const allowedTo = (role: Role) => [...new Set(rulesOf("admin").filter((rule) => FACTS.some((facts) => isAllowedBy(rule, role, facts))))];
    expect(allowedTo("guest")).toEqual(["project.member.remove"]);
    expect(describeScope("admin", [], "guest").label).toContain("Leave projects");
    expect(allowedTo("member").sort()).toEqual([
      "agent_task.run",
      "group.create",
      "group.delete",
      "group.edit",
      "project.create",
      "project.delete",
      "project.edit",
      "project.list_deleted",
      "project.member.add",
      "project.member.remove",
      "project.restore",
    ]);
    expect(describeScope("admin", [], "member").label).toContain("run agents’ tasks");
    expect(allowedTo("admin")).not.toContain("audit.read");
    expect(describeScope("admin", [], "admin").label).not.toContain("audit");
    expect(allowedTo("owner")).toContain("audit.read");
    expect(describeScope("admin", [], "owner").label).toContain("audit log");
  });

  test("a limit disappears together with what lifts it", () => {
    expect(describeScope("chat:read", ["chat:read"], "member").limit).toBe("It can't post.");
    expect(describeScope("chat:read", ["chat:read", "chat:write"], "member").limit).toBe("");
    expect(describeScope("files:write", ["files:write"], "member").limit).toContain("also needs");
    expect(describeScope("files:write", ["files:read", "files:write"], "member").limit).toBe("");
  });

  test("a scope that this client does not know is shown by its name", () =>
    expect(describeScope("playlists:read", [], "owner")).toEqual({ label: "playlists:read", limit: "", roleLimit: "", hasEffect: true }));
});
