import { expect, test } from "vitest";
import { ROLES } from "../../../contract/records.ts";
import { mayManage, rightsOf, rolesToGive } from "./rights.ts";

/** As the service's policy has it: who may, by right. */
const WHO = {
  manages: ["owner", "admin"],
  createsProjects: ["owner", "admin", "member"],
  createsGroups: ["owner", "admin", "member"],
  editsProjects: ["owner", "admin", "member"],
  addsPeople: ["owner", "admin", "member"],
  removesPeople: ["owner", "admin"],
  invites: ["owner", "admin"],
  uploadsFiles: ["owner", "admin", "member", "guest"],
  setsStatuses: ["owner", "admin", "member"],
  processesFiles: ["owner", "admin", "member"],
  keepsTaskTemplates: ["owner", "admin", "member"],
  managesWebhooks: ["owner", "admin"],
  managesStatuses: ["owner", "admin"],
  correctsTags: ["owner", "admin", "member"],
};

test.each(ROLES)("%s is offered what the role allows, and nothing else", (role) => {
  expect(rightsOf(role)).toEqual(Object.fromEntries(Object.entries(WHO).map(([right, roles]) => [right, roles.includes(role)])));
});

test("only an owner makes owners and acts upon them; members and guests act upon nobody", () => {
  expect(ROLES.map(rolesToGive)).toEqual([["owner", "admin", "member", "guest"], ["admin", "member", "guest"], [], []]);
  expect(ROLES.map((target) => mayManage("owner", target))).toEqual([true, true, true, true]);
  expect(ROLES.map((target) => mayManage("admin", target))).toEqual([false, true, true, true]);
  for (const role of ["member", "guest"] as const) expect(ROLES.some((target) => mayManage(role, target))).toBe(false);
});
