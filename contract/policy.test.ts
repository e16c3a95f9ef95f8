/** Tests the policy against a table written by hand from the product rules: every rule, role and combination of facts. */
import { expect, test } from "vitest";
import { authorFacts, fileFacts, isAllowed, POLICY, RULES, type Rule, taskFacts } from "./policy.ts";
import { type Role, ROLES } from "./records.ts";

/** Rule, the facts that are true, and the roles that are allowed. */
const TABLE = `
open                   -                              owner admin member guest
self                   -                              owner admin member guest
team.read              -                              owner admin member guest
group.read             -                              owner admin member guest
group.create           -                              owner admin member
project.read           -                              owner admin member guest
project.create         -                              owner admin member
project.edit           -                              owner admin member
project.delete         -                              owner admin
project.delete         isOwn                          owner admin member
project.restore        -                              owner admin
project.restore        isOwn                          owner admin member
project.list_deleted   -                              owner admin member
group.edit             -                              owner admin member
group.delete           -                              owner admin
group.delete           isOwn                          owner admin member
project.member.add     -                              owner admin member
project.member.remove  -                              owner admin
project.member.remove  isOwn                          owner admin member guest
chat.read              -                              owner admin member guest
chat.write             -                              owner admin member guest
message.edit           -
message.edit           isOwn                          owner admin member guest
message.delete         -                              owner admin
message.delete         isOwn                          owner admin member guest
message.restore        -                              owner admin
message.restore        isOwn                          owner admin member guest
message.restore        isDeletedByOther
message.restore        isOwn,isDeletedByOther
account.read           -                              owner admin member guest
invite.manage          -                              owner admin
password_reset.manage  -                              owner
task.read              -                              owner admin member guest
task.create            -                              owner admin member guest
task.edit              -                              owner admin member
task.edit              isOwn                          owner admin member guest
task.edit              isAssignee                     owner admin member
task.edit              isClosing                      owner admin member
task.edit              isOwn,isAssignee               owner admin member guest
task.edit              isOwn,isClosing                owner admin member guest
task.edit              isAssignee,isClosing           owner admin member guest
task.edit              isOwn,isAssignee,isClosing     owner admin member guest
task.delete            -                              owner admin member
task.delete            isOwn                          owner admin member guest
task_template.manage   -                              owner admin member
playlist.read          -                              owner admin member guest
playlist.create        -                              owner admin member guest
playlist.edit          -                              owner admin member
playlist.edit          isOwn                          owner admin member guest
playlist.delete        -                              owner admin member
playlist.delete        isOwn                          owner admin member guest
metadata_template.manage -                            owner admin
metadata.edit          -                              owner admin member
metadata.edit          isOwn                          owner admin member guest
file.read              -                              owner admin member guest
file.create            -                              owner admin member guest
file.add_version       -                              owner admin member
file.add_version       isOwn                          owner admin member guest
file.add_version       isProtected                    owner admin member
file.add_version       isFinal                        owner admin member
file.add_version       isOwn,isProtected              owner admin member
file.add_version       isOwn,isFinal                  owner admin member
file.add_version       isProtected,isFinal            owner admin member
file.add_version       isOwn,isProtected,isFinal      owner admin member
file.edit              -                              owner admin member
file.rename            -                              owner admin member
file.rename            isRoot
file.move              -                              owner admin member
file.move              isOwn                          owner admin member guest
file.move              isProtected                    owner admin member
file.move              isOwn,isProtected              owner admin member
file.move              isRoot
file.move              isOwn,isRoot
file.move              isProtected,isRoot
file.move              isOwn,isProtected,isRoot
file.delete            -                              owner admin member
file.delete            isOwn                          owner admin member guest
file.delete            isFinal                        owner admin member
file.delete            isOwn,isFinal                  owner admin member
file.delete            isRoot
file.delete            isOwn,isRoot
file.delete            isFinal,isRoot
file.delete            isOwn,isFinal,isRoot
file.restore           -                              owner admin member
file.restore           isOwn                          owner admin member guest
file.status            -                              owner admin member
file.process           -                              owner admin member
file.tags              -                              owner admin member
comment.read           -                              owner admin member guest
comment.write          -                              owner admin member guest
comment.edit           -
comment.edit           isOwn                          owner admin member guest
comment.edit           isResolving                    owner admin member
comment.edit           isOwn,isResolving              owner admin member guest
comment.delete         -                              owner admin
comment.delete         isOwn                          owner admin member guest
comment.restore        -                              owner admin
comment.restore        isOwn                          owner admin member guest
comment.restore        isDeletedByOther
comment.restore        isOwn,isDeletedByOther
file_status.manage     -                              owner admin
webhook.manage         -                              owner admin
delivery_rules.manage  -                              owner admin
agent.read             -                              owner admin member guest
agent.manage           -                              owner admin
agent.subscribe        -                              owner admin
agent.subscribe        isOwn                          owner admin member guest
agent_action.read      -                              owner admin member
agent_action.undo      -                              owner admin member
agent_task.read        -                              owner admin member
agent_task.run         -                              owner admin member
agent_task.manage      -                              owner admin
audit.read             -                              owner
demo.make              -                              owner
organisation.edit      -                              owner
`;

const ROWS = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [rule, facts, ...roles] = line.split(/ +/) as [Rule, string, ...Role[]];
    return { rule, facts: facts === "-" ? [] : facts.split(","), roles };
  });
/** The rules whose facts are roles have tests of their own. */
const RULES_ABOUT_ROLES: readonly Rule[] = ["team.invite", "account.manage"];
const factNames = (rule: Rule) => [...new Set(ROWS.flatMap((row) => (row.rule === rule ? row.facts : [])))];

test.each(RULES.filter((rule) => !RULES_ABOUT_ROLES.includes(rule)))("%s allows exactly the roles of the table", (rule) => {
  const names = factNames(rule);
  const rows = ROWS.filter((row) => row.rule === rule);
  expect(rows).toHaveLength(2 ** names.length);
  const check = POLICY[rule] as (role: Role, facts: object) => boolean;
  for (const { facts, roles } of rows) {
    const values = Object.fromEntries(names.map((name) => [name, facts.includes(name)]));
    expect(
      ROLES.filter((role) => check(role, values)),
      facts.join(),
    ).toEqual(roles);
  }
});

test("only owners manage owners and make somebody an owner; members and guests manage nobody", () => {
  const changeable = (role: Role, newRole?: Role) => ROLES.filter((targetRole) => isAllowed("account.manage", role, { targetRole, newRole }));
  expect(ROLES.map((role) => changeable(role))).toEqual([ROLES, ["admin", "member", "guest"], [], []]);
  for (const newRole of ROLES) {
    expect(changeable("owner", newRole)).toEqual(ROLES);
    expect(changeable("admin", newRole)).toEqual(newRole === "owner" ? [] : ["admin", "member", "guest"]);
    expect([...changeable("member", newRole), ...changeable("guest", newRole)]).toEqual([]);
  }
  expect(ROLES.map((role) => ROLES.filter((newRole) => isAllowed("team.invite", role, { newRole })))).toEqual([ROLES, ["admin", "member", "guest"], [], []]);
});

test("facts come from wire records", () => {
  expect([authorFacts({ account_id: 1 }, 1), authorFacts({ account_id: 1 }, 2)]).toEqual([{ isOwn: true }, { isOwn: false }]);
  expect(taskFacts({ created_by_account_id: 1, assignee_account_id: 2 }, 1)).toEqual({ isOwn: true, isAssignee: false });
  expect(taskFacts({ created_by_account_id: 1, assignee_account_id: 2 }, 2)).toEqual({ isOwn: false, isAssignee: true });
  expect(taskFacts({ created_by_account_id: 1, assignee_account_id: null }, 2)).toEqual({ isOwn: false, isAssignee: false });
  // A new version changes who uploaded the file's content, but not whose file it is.
  expect(fileFacts({ created_by_account_id: 1, account_id: 2, parent_id: 5 }, 1)).toEqual({ isOwn: true, isRoot: false });
  expect(fileFacts({ created_by_account_id: 1, account_id: 2, parent_id: null }, 2)).toEqual({ isOwn: false, isRoot: true });
  expect(fileFacts({ account_id: 2, parent_id: 5 }, 2)).toEqual({ isOwn: true, isRoot: false });
});

test("a call without a fact of its rule does not compile", () => {
  // @ts-expect-error -- the author is missing
  expect(() => isAllowed("message.edit", "owner")).toThrow(TypeError);
  // @ts-expect-error -- whether the change only resolves is missing
  expect(isAllowed("comment.edit", "member", { isOwn: false })).toBeFalsy();
  expect(isAllowed("comment.edit", "member", { isOwn: false, isResolving: true })).toBe(true);
  // @ts-expect-error -- the new role is missing, and an admin must not make somebody an owner
  expect(isAllowed("account.manage", "admin", { targetRole: "member" })).toBe(true);
  expect(isAllowed("account.manage", "admin", { targetRole: "member", newRole: "owner" })).toBe(false);
});
