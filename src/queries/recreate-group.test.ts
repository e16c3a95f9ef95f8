import { afterEach, expect, test, vi } from "vitest";
import type { Group, Project } from "../../contract/records.ts";
import { createClient } from "../app/create-client.ts";
import { holdRequests } from "./hook.fixture.ts";
import { recreateGroup } from "./project-mutations.ts";
import { groupQueries } from "./teams.ts";

afterEach(() => vi.unstubAllGlobals());

const group: Group = { id: 3, name: "Albums", description: "2026", team_id: 1, color: 9 };
const project = (id: number, archived_at: string | null): Project => ({
  id,
  name: `Project ${id}`,
  team_id: 1,
  group_id: null,
  description: "",
  root_folder_id: 1,
  created_at: "2026-01-01T00:00:00Z",
  role: "member",
  unread_count: 0,
  last_message_id: null,
  last_read_message_id: null,
  archived_at,
});

test("a deleted group is created again with its color, and its projects move back into it, archived ones too", async () => {
  const client = createClient();
  client.queryClient.setQueryData(groupQueries.all().queryKey, []);
  const { bodies, respond } = holdRequests();
  const done = recreateGroup(client, group, [project(7, null), project(8, "2026-01-01T00:00:00Z")]);
  await expect.poll(() => bodies).toEqual([{ name: "Albums", team_id: 1, description: "2026" }]);
  respond({ object: "group", data: { ...group, id: 4, color: 1 } });
  await expect.poll(() => bodies[1]).toEqual({ color: 9 });
  respond({ object: "group", data: { ...group, id: 4 } });
  await expect.poll(() => bodies[2]).toEqual({ group_id: 4 });
  respond({ object: "project", data: { ...project(7, null), group_id: 4 } });
  await expect.poll(() => bodies[3]).toEqual({ group_id: 4, archived: true });
  respond({ object: "project", data: { ...project(8, null), group_id: 4 } });
  await done;
  expect(client.queryClient.getQueryData(groupQueries.all().queryKey)).toMatchObject([{ id: 4, name: "Albums", color: 9 }]);
});
