import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import type { Session } from "../../contract/access-records.ts";
import type { Group, Member, Project, ProjectMember } from "../../contract/records.ts";
import { withMember } from "./members.ts";
import { withoutProject, withoutProjectMember, withProject, withProjectMember } from "./projects.ts";
import { applySignIn, applySignOut, onSessionEnd, sessionQueries, withAccount } from "./session.ts";
import { withGroup } from "./teams.ts";

const project = (id: number, name = `P${id}`) => ({ id, name, unread_count: 0 }) as Project;
const person = (id: number, username = `A${id}`) => ({ id, username }) as ProjectMember;
const account = { id: 7, username: "Ana", email: "a@b.c", avatar_url: null, user_info: "" };
const session: Session = { account, organisation: { id: 1, name: "N" }, role: "admin", scopes: [], authorized_by: "session", session_id: 2 };

test("a new project is added, a known one replaced, and the list before stays untouched", () => {
  const before = [project(1), project(2)];
  expect(withProject(before, project(3))!.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(withProject(before, project(2, "New"))!.map(({ name }) => name)).toEqual(["P1", "New"]);
  expect(withoutProject(before, 1)!.map(({ id }) => id)).toEqual([2]);
  expect(before.map(({ name }) => name)).toEqual(["P1", "P2"]);
});

test("what is not loaded is not made up", () => {
  expect(withProject(undefined, project(1))).toBeUndefined();
  expect(withGroup(undefined, { id: 1 } as Group)).toBeUndefined();
  expect(withProjectMember(undefined, person(1))).toBeUndefined();
  expect(withMember(undefined, { id: 1 })).toBeUndefined();
  expect(withoutProject(undefined, 1)).toBeUndefined();
});

test("adding somebody twice keeps them once", () => {
  const members = withProjectMember([person(1)], person(2));
  expect(withProjectMember(members, person(2, "Renamed"))).toEqual([person(1), person(2, "Renamed")]);
  expect(withoutProjectMember(members, 1)).toEqual([person(2)]);
});

test("a group that comes by its answer and by its event is there once", () => {
  const group = { id: 4, name: "Albums" } as Group;
  expect(withGroup(withGroup([], group), group)).toEqual([group]);
});

test("a person's change keeps what the change does not carry; strangers are not added", () => {
  const members = [{ id: 7, username: "Ana", role: "guest", project_ids: [1] } as Member];
  expect(withMember(members, { id: 7, role: "admin" })).toEqual([{ id: 7, username: "Ana", role: "admin", project_ids: [1] }]);
  expect(withMember(members, { id: 8, role: "admin" })).toEqual(members);
});

test("only the own account changes the session", () => {
  expect(withAccount(session, { id: 7, username: "Anna" })!.account).toEqual({ ...account, username: "Anna" });
  expect(withAccount(session, { id: 8, username: "Eve" })).toBe(session);
  expect(withAccount(null, { id: 7 })).toBeNull();
});

test("who signs in finds nothing of who was here before", () => {
  const client = new QueryClient();
  client.setQueryData(["projects"], [project(1)]);
  applySignIn(client, session);
  expect(client.getQueryData(["projects"])).toBeUndefined();
  expect(client.getQueryData(sessionQueries.current().queryKey)).toEqual(session);
});

test("signing out is told once, empties the cache, and asks nobody again", () => {
  const client = new QueryClient();
  applySignIn(client, session);
  client.setQueryData(["members"], []);
  const listener = vi.fn();
  const stop = onSessionEnd(client, listener);
  applySignOut(client);
  expect(listener).toHaveBeenCalledExactlyOnceWith("signed-out");
  expect(client.getQueryData(["members"])).toBeUndefined();
  expect(client.getQueryData(sessionQueries.current().queryKey)).toBeNull();
  stop();
  applySignOut(client);
  expect(listener).toHaveBeenCalledTimes(1);
});
