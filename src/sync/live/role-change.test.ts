import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import type { Client } from "../../client/client.ts";
import type { Invite, Session } from "../../../contract/access-records.ts";
import type { Group, Member, Project, ProjectMember, Role, Team } from "../../../contract/records.ts";
import { inviteQueries } from "../../queries/invites.ts";
import { memberQueries } from "../../queries/members.ts";
import { toHistory } from "../../queries/messages/history.ts";
import { messageKeys } from "../../queries/messages/cache-updates.ts";
import { buildMessage } from "../../queries/messages/message.fixture.ts";
import { projectQueries } from "../../queries/projects.ts";
import { sessionQueries } from "../../queries/session.ts";
import { groupQueries, teamQueries } from "../../queries/teams.ts";
import { webhookKeys } from "../../queries/webhooks/delivery-filter.ts";
import { handleEvent } from "./event-handlers.ts";
import { invalidateTopic } from "./invalidate-topic.ts";

const project = (id: number): Project => ({
  id,
  team_id: 1,
  group_id: null,
  name: `Project ${id}`,
  description: "",
  root_folder_id: null,
  created_at: "2026-11-01T09:00:00.000Z",
  role: "member",
  unread_count: 0,
  last_message_id: null,
  last_read_message_id: null,
});
const account = { id: 1, username: "Ana", email: "ana@example.com", avatar_url: null, user_info: "" };

let client: Client;
/** The service's current responses, by path. */
let service: Map<string, () => object>;

beforeEach(async () => {
  client = createClient();
  service = new Map([["/api/v2/projects", () => ({ object: "list", data: [project(1), project(2)], next_cursor: null })]]);
  vi.stubGlobal("fetch", async (address: string) => {
    const respond = service.get(address.split("?")[0]!);
    return respond ? Response.json(respond()) : Response.json({ title: "Not here" }, { status: 404 });
  });
  client.queryClient.setQueryData(sessionQueries.current().queryKey, { account, role: "admin" } as unknown as Session);
  await client.queryClient.fetchQuery(projectQueries.all());
  for (const id of [1, 2]) {
    client.queryClient.setQueryData(messageKeys.history(id, "latest"), toHistory({ data: [buildMessage(1, { chat_id: id })] }));
    client.queryClient.setQueryData(projectQueries.members(id).queryKey, [] as ProjectMember[]);
  }
  client.queryClient.setQueryData(inviteQueries.pending().queryKey, [] as Invite[]);
  client.queryClient.setQueryData(webhookKeys.endpoints, []);
  client.queryClient.setQueryData(memberQueries.all().queryKey, [] as Member[]);
  client.queryClient.setQueryData(groupQueries.all().queryKey, [] as Group[]);
  client.queryClient.setQueryData(teamQueries.all().queryKey, [] as Team[]);
});
afterEach(() => {
  client.queryClient.clear();
  vi.unstubAllGlobals();
});

const emit = (role: Role, id = 1) =>
  handleEvent(
    { client, accountId: 1, isViewingChat: () => false },
    { topic: "organisation:1", seq: 1, type: "account.updated", time: "2026-11-17T09:00:00.000Z", data: { ...account, id, role, disabled: false } },
  );
const isInvalidated = (queryKey: readonly unknown[]) => client.queryClient.getQueryState(queryKey)?.isInvalidated;
const dependentKeys = [memberQueries, groupQueries, teamQueries].map((queries) => queries.all().queryKey);

test("losing the admin role removes invites, webhooks and projects that are no longer visible", async () => {
  service.set("/api/v2/projects", () => ({ object: "list", data: [project(1)], next_cursor: null }));
  emit("member");
  expect(client.queryClient.getQueryData(sessionQueries.current().queryKey)?.role).toBe("member");
  await vi.waitFor(() => expect(client.queryClient.getQueryData(messageKeys.history(2, "latest"))).toBeUndefined());
  await vi.waitFor(() => expect(dependentKeys.map(isInvalidated)).toEqual([true, true, true]));
  expect(client.queryClient.getQueryData(projectQueries.all().queryKey)?.map(({ id }) => id)).toEqual([1]);
  expect(client.queryClient.getQueryData(projectQueries.members(2).queryKey)).toBeUndefined();
  expect(client.queryClient.getQueryData(inviteQueries.pending().queryKey)).toBeUndefined();
  expect(client.queryClient.getQueryData(webhookKeys.endpoints)).toBeUndefined();
  expect(client.queryClient.getQueryData(messageKeys.history(1, "latest"))).toBeDefined();
  expect(isInvalidated(projectQueries.members(1).queryKey)).toBe(true);
});

test("a project list that fails to load removes nothing", async () => {
  service.clear();
  emit("member");
  await vi.waitFor(() => expect(dependentKeys.map(isInvalidated)).toEqual([true, true, true]));
  await vi.waitFor(() => expect(client.queryClient.isFetching()).toBe(0));
  expect(client.queryClient.getQueryData(messageKeys.history(2, "latest"))).toBeDefined();
});

test("becoming an owner preserves invites and webhooks and invalidates them", async () => {
  emit("owner");
  await vi.waitFor(() => expect(isInvalidated(inviteQueries.pending().queryKey)).toBe(true));
  expect(client.queryClient.getQueryData(inviteQueries.pending().queryKey)).toEqual([]);
  expect(isInvalidated(webhookKeys.endpoints)).toBe(true);
});

test("another account's role, or the account's unchanged role, invalidates nothing", async () => {
  emit("guest", 2);
  emit("admin");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([inviteQueries.pending().queryKey, projectQueries.all().queryKey, groupQueries.all().queryKey].map(isInvalidated)).toEqual([false, false, false]);
});

test("a role that changed before the topic was followed is found when the topic is invalidated", async () => {
  // Only a query that has been fetched can be fetched again.
  const session = (role: Role) => ({
    object: "session",
    data: { account, organisation: { id: 1, name: "Northlight" }, role, scopes: [], authorized_by: "session", session_id: 1 },
  });
  service.set("/api/v2/session", () => session("admin"));
  await client.queryClient.fetchQuery({ ...sessionQueries.current(), staleTime: 0 });
  service.set("/api/v2/session", () => session("member"));
  service.set("/api/v2/projects", () => ({ object: "list", data: [project(1)], next_cursor: null }));
  invalidateTopic(client, "organisation:1");
  await vi.waitFor(() => expect(client.queryClient.getQueryData(sessionQueries.current().queryKey)?.role).toBe("member"));
  await vi.waitFor(() => expect(client.queryClient.getQueryData(messageKeys.history(2, "latest"))).toBeUndefined());
  expect(client.queryClient.getQueryData(inviteQueries.pending().queryKey)).toBeUndefined();
});

test("a new name of the organization is shown without a reload", () => {
  const data = { id: 1, name: "Northlight" };
  const event = { topic: "organisation:1", seq: 1, type: "organisation.updated", time: "2026-11-17T09:00:00.000Z", data } as const;
  handleEvent({ client, accountId: 1, isViewingChat: () => false }, event);
  expect(client.queryClient.getQueryData(sessionQueries.current().queryKey)).toMatchObject({ account, organisation: data });
});
