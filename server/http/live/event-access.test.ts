/**
 * Proves that the live channel shows every caller exactly what HTTP shows it: for each event type and signal, each scope and a session, and each role
 * in and out of the project, compares what a socket receives with the status of a real request for the record.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES, type Operation, type Scope } from "../../../contract/define-operation.ts";
import { EVENT_ACCESS, SIGNAL_ACCESS, type TopicKind } from "../../../contract/event-access.ts";
import { EVENT_DATA, WITHHELD, type EventType, type SignalType } from "../../../contract/events.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as agentActions from "../../../contract/operations/agent-actions.ts";
import * as agentTasks from "../../../contract/operations/agent-tasks.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as deliveryRules from "../../../contract/operations/delivery-rules.ts";
import * as favorites from "../../../contract/operations/favorites.ts";
import * as files from "../../../contract/operations/files.ts";
import * as filesView from "../../../contract/operations/files-view.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as metadata from "../../../contract/operations/metadata.ts";
import * as notifications from "../../../contract/operations/notifications.ts";
import * as playlists from "../../../contract/operations/playlists.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as session from "../../../contract/operations/session.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import * as teams from "../../../contract/operations/teams.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { createAgent } from "../../testing/agents.ts";
import type { Caller, UntypedInput } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { openSocket, waitUntil, type TestSocket } from "../../testing/live.ts";
import { createApiToken, createSession } from "../../testing/people.ts";
import { insertDelivery, registerEndpoint } from "../../testing/webhooks.ts";

/** A request whose success means that HTTP shows the record. */
type Probe = [operation: Operation, input: UntypedInput];
interface Sample {
  type: EventType;
  data: object;
  probe: Probe;
}

/** In the project `home`, and outside of it; owner and admin see it through their role. */
const PEOPLE = ["owner", "admin", "member", "guest", "neighbor", "guestNextDoor"] as const;
/** A session, each scope alone, and all scopes. */
const CREDENTIALS: readonly [label: string, scopes: readonly Scope[] | null][] = [
  ["session", null],
  ...SCOPES.map((scope): [string, Scope[]] => [scope, [scope]]),
  ["all scopes", SCOPES],
];

interface Receiver {
  label: string;
  accountId: number;
  caller: Caller;
  socket: TestSocket;
  topics: Record<TopicKind, string>;
  /** The topics that the service let it follow. */
  followed: Set<string>;
}

/** Builds one event of each type about records of `home`, and of some types another one about records that fewer people see. */
async function createSamples({ testApp, owner, member, neighbor, home, apart }: Fixtures): Promise<Sample[]> {
  const call = async <T>(operation: Operation, input: UntypedInput): Promise<T> => (await testApp.callUntyped(owner, operation, input)).response as T;
  const inProject = { params: { project_id: home.project } };
  const message = (await testApp.call(owner, chat.sendMessage, { body: { project_id: home.project, body: "hello", attachment_ids: [home.file] } })).response
    .data;
  const { data: task } = await call<{ data: { id: number }[] }>(tasks.createTasks, { body: { file_id: home.file, tasks: [{ title: "Bounce the stems" }] } });
  const { data: comment } = await call<{ data: object }>(comments.writeComment, { params: { file_id: home.file }, body: { body: "louder", version: 1 } });
  const { data: entries } = await call<{ data: { id: number }[] }>(filesView.listFiles, { ...inProject, query: { folder_id: home.folder } });
  const { data: project } = await call<{ data: object }>(projects.getProject, { body: { project_id: home.project } });
  const { data: playlist } = await call<{ data: { id: number } }>(playlists.createPlaylist, { body: { project_id: home.project, name: "Running order" } });
  const { data: people } = await call<{ data: { id: number }[] }>(projects.listProjectMembers, inProject);
  const { data: group } = await call<{ data: { id: number } }>(teams.createGroup, { body: { team_id: home.team, name: "Fresh" } });
  const { data: groupApart } = await call<{ data: { id: number } }>(teams.createGroup, { body: { team_id: apart.team, name: "Fresh" } });
  const endpoint_id = await registerEndpoint(testApp, owner);
  const delivery_id = await insertDelivery(testApp, endpoint_id, "delivered");
  const { data: endpoint } = await call<{ data: object }>(webhooks.getWebhookEndpoint, { params: { endpoint_id } });
  const { data: delivery } = await call<{ data: object }>(webhooks.getDelivery, { params: { delivery_id } });

  const history: Probe = [chat.chatHistory, { body: { project_id: home.project } }];
  const fileInfo: Probe = [files.getFileInfo, { body: { file_id: home.file } }];
  const taskInfo: Probe = [tasks.getTask, { params: { task_id: task[0]!.id } }];
  const commentList: Probe = [comments.listComments, { params: { file_id: home.file }, query: {} }];
  const playlistInfo: Probe = [playlists.getPlaylist, { params: { playlist_id: playlist.id } }];
  const members: Probe = [projects.listProjectMembers, inProject];
  const endpointInfo: Probe = [webhooks.getWebhookEndpoint, { params: { endpoint_id } }];
  const accountUpdated = async (id: number): Promise<Sample> => ({
    type: "account.updated",
    data: { ...(await call<{ data: object }>(accounts.getAccount, { body: { account_id: id } })).data, role: "member", disabled: false },
    probe: [accounts.getAccount, { body: { account_id: id } }],
  });
  const statusesChanged = async (team_id: number): Promise<Sample> => {
    const { data: statuses } = await call<{ data: object[] }>(teams.listFileStatuses, { body: { team_id } });
    return { type: "statuses.changed", data: { team_id, statuses, default_status_id: null }, probe: [teams.listFileStatuses, { body: { team_id } }] };
  };
  const metadataOf: Probe = [metadata.getFileMetadata, { params: { file_id: home.file } }];
  const templatesChanged = (team_id: number): Sample => ({
    type: "metadata_templates.changed",
    data: { team_id },
    probe: [metadata.listMetadataTemplates, { params: { team_id } }],
  });
  const agent = await createAgent(testApp, { createdBy: owner, projects: [home.project] });
  const { data: agentTask } = await call<{ data: { id: number } }>(agentTasks.createAgentTask, {
    params: { agent_id: agent },
    body: { project_id: home.project, action: "rule", name: "Greet", trigger: { type: "manual" }, steps: [{ type: "post_message", text: "Hello" }] },
  });
  const groupsChanged = (team_id: number): Sample => ({ type: "groups.changed", data: { team_id }, probe: [teams.listGroups, { body: { team_id } }] });
  const deliveryRulesChanged = (team_id: number): Sample => ({
    type: "delivery_rules.changed",
    data: { team_id },
    probe: [deliveryRules.getDeliveryRules, { params: { team_id } }],
  });
  return [
    { type: "message.created", data: message, probe: history },
    { type: "message.updated", data: message, probe: history },
    { type: "messages.imported", data: { project_id: home.project }, probe: history },
    { type: "file.created", data: entries[0]!, probe: fileInfo },
    { type: "file.updated", data: entries[0]!, probe: fileInfo },
    { type: "file.deleted", data: { id: home.file, parent_id: home.folder }, probe: fileInfo },
    { type: "attachment.updated", data: message.attachments[0]!, probe: fileInfo },
    { type: "task.created", data: task[0]!, probe: taskInfo },
    { type: "task.updated", data: task[0]!, probe: taskInfo },
    { type: "task.deleted", data: { id: task[0]!.id, file_id: home.file }, probe: taskInfo },
    { type: "comment.created", data: comment, probe: commentList },
    { type: "comment.updated", data: comment, probe: commentList },
    { type: "playlist.created", data: playlist, probe: playlistInfo },
    { type: "playlist.updated", data: playlist, probe: playlistInfo },
    { type: "playlist.deleted", data: { id: playlist.id, project_id: home.project }, probe: playlistInfo },
    { type: "metadata.updated", data: { file_id: home.file, project_id: home.project, revision: 1, values: {} }, probe: metadataOf },
    { type: "metadata.imported", data: { project_id: home.project }, probe: metadataOf },
    templatesChanged(home.team),
    templatesChanged(apart.team),
    { type: "project.updated", data: project, probe: [projects.getProject, { body: { project_id: home.project } }] },
    { type: "project.deleted", data: { id: home.project, name: "home" }, probe: [projects.getProject, { body: { project_id: home.project } }] },
    { type: "project.restored", data: project, probe: [projects.getProject, { body: { project_id: home.project } }] },
    { type: "project.member_added", data: { project_id: home.project, member: people[0]! }, probe: members },
    { type: "project.member_removed", data: { project_id: home.project, account_id: 999_999 }, probe: members },
    { type: "organisation.updated", data: { id: 1, name: "Northlight" }, probe: [session.getSession, {}] },
    { type: "group.created", data: group, probe: [teams.getGroup, { body: { group_id: group.id } }] },
    { type: "group.created", data: groupApart, probe: [teams.getGroup, { body: { group_id: groupApart.id } }] },
    groupsChanged(home.team),
    groupsChanged(apart.team),
    await accountUpdated(member.id),
    await accountUpdated(neighbor.id),
    await statusesChanged(home.team),
    await statusesChanged(apart.team),
    deliveryRulesChanged(home.team),
    deliveryRulesChanged(apart.team),
    {
      type: "agent_tasks.changed",
      data: { project_id: home.project, agent_id: agent, task_id: agentTask.id },
      probe: [agentTasks.getAgentTask, { params: { task_id: agentTask.id } }],
    },
    {
      type: "agent_actions.changed",
      data: { project_id: home.project, agent_id: agent },
      probe: [agentActions.listAgentActions, { params: { agent_id: agent }, query: { project_id: String(home.project) } }],
    },
    { type: "webhook_endpoint.updated", data: endpoint, probe: endpointInfo },
    { type: "webhook_endpoint.deleted", data: { id: endpoint_id }, probe: endpointInfo },
    { type: "delivery.updated", data: delivery, probe: [webhooks.getDelivery, { params: { delivery_id } }] },
    { type: "projects.changed", data: { project_id: home.project }, probe: [projects.listProjects, { query: {} }] },
    { type: "tasks.changed", data: { project_id: home.project }, probe: [tasks.listTasks, { query: {} }] },
    { type: "favorites.changed", data: {}, probe: [favorites.listFavorites, { query: {} }] },
    { type: "recent_items.changed", data: {}, probe: [favorites.listRecentItems, { query: {} }] },
    {
      type: "read.moved",
      data: { project_id: home.project, last_read_message_id: message.id, unread_count: 0 },
      probe: [chat.getReadMarker, { params: { project_id: home.project } }],
    },
    {
      type: "comments.read",
      data: { file_id: home.file, project_id: home.project, last_read_comment_id: 0, has_unread_comments: false },
      probe: commentList,
    },
    { type: "notifications.changed", data: { unread_count: 1 }, probe: [notifications.listNotifications, { query: {} }] },
    { type: "notification_settings.changed", data: {}, probe: [notifications.getNotificationSettings, {}] },
    {
      type: "file_watch.changed",
      data: { file_id: home.file, project_id: home.project, watching: true },
      probe: [notifications.getFileWatch, { params: { file_id: home.file } }],
    },
    { type: "notification_channels.changed", data: {}, probe: [session.getSession, {}] },
    { type: "sessions.changed", data: {}, probe: [session.listSessions, {}] },
  ];
}

describe.each(ENGINES)("what the live channel shows on %s", { timeout: 120_000 }, (engine) => {
  let fixtures: Fixtures;
  let samples: Sample[];
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    const { testApp, home, owner } = fixtures;
    await testApp.app.server.listen({ host: "127.0.0.1", port: 0 });
    samples = await createSamples(fixtures);
    const { organisation_id } = await testApp.database.read
      .selectFrom("accounts")
      .select("organisation_id")
      .where("id", "=", owner.id)
      .executeTakeFirstOrThrow();
    for (const name of PEOPLE)
      for (const [label, scopes] of CREDENTIALS) {
        const { id } = fixtures[name];
        const browser = await createSession(testApp, id, name);
        const caller = scopes === null ? browser : await createApiToken(testApp, browser, scopes);
        const topics = { project: `project:${home.project}`, organisation: `organisation:${organisation_id}`, account: `account:${id}` };
        receivers.push({
          label: `${name} with ${label}`,
          accountId: id,
          caller,
          topics,
          socket: await openSocket(testApp.app.server, caller),
          followed: new Set(),
        });
      }
    for (const { socket, topics, followed } of receivers)
      for (const topic of Object.values(topics)) if ("subscribed" in (await socket.subscribe(topic))) followed.add(topic);
  }, 120_000);
  afterAll(async () => {
    for (const { socket } of receivers) socket.socket.terminate();
    await fixtures.testApp.close();
  });

  const isShown = async ({ caller }: Receiver, [operation, input]: Probe): Promise<boolean> =>
    (await fixtures.testApp.callUntyped(caller, operation, input)).status === 200;

  it("has a sample of every event type", () => {
    expect([...new Set(samples.map(({ type }) => type))].sort()).toEqual(Object.keys(EVENT_DATA).sort());
  });

  it("is what HTTP shows, event by event, with every seq", async () => {
    const { testApp } = fixtures;
    const { events } = testApp.app.deps;
    const sent = (kind: TopicKind) => samples.filter(({ type }) => EVENT_ACCESS[type].topic === kind);
    const kinds = ["project", "organisation", "account"] as const;
    const before = new Map(receivers.map((receiver) => [receiver, new Map(kinds.map((kind) => [kind, receiver.socket.events(receiver.topics[kind]).length]))]));
    await testApp.database.write(async (tx) => {
      for (const kind of kinds)
        for (const topic of new Set(receivers.map(({ topics }) => topics[kind])))
          for (const { type, data } of sent(kind)) await events.append(tx, topic, type, data as never);
    });
    const mismatches: string[] = [];
    let shownCount = 0;
    for (const receiver of receivers)
      for (const kind of kinds) {
        const topic = receiver.topics[kind];
        const shown: boolean[] = [];
        for (const { probe } of sent(kind)) shown.push(await isShown(receiver, probe));
        if (!receiver.followed.has(topic)) {
          if (shown.some(Boolean)) mismatches.push(`${receiver.label}: ${kind} refused, but HTTP shows some of it`);
          continue;
        }
        const received = () => receiver.socket.events(topic).slice(before.get(receiver)?.get(kind));
        await waitUntil(() => received().length >= sent(kind).length, `${receiver.label}: the events of ${topic}`, received);
        const seqs = received().map(({ seq }) => seq);
        expect(seqs, receiver.label).toEqual(seqs.map((_, index) => seqs[0]! + index));
        for (const [index, { type }] of sent(kind).entries()) {
          const expected = shown[index] ? type : WITHHELD;
          if (received()[index]?.type !== expected) mismatches.push(`${receiver.label}: ${received()[index]?.type} instead of ${expected} (${type})`);
          if (!shown[index]) expect(received()[index]?.data, receiver.label).toEqual({});
          else shownCount += 1;
        }
      }
    expect(mismatches).toEqual([]);
    expect(shownCount).toBeGreaterThan(200);
  });

  it("is the same for signals", async () => {
    const { testApp, home, owner, foreignOwner } = fixtures;
    const data = { project_id: home.project, account_id: foreignOwner.id };
    testApp.app.deps.signals.emit({ type: "typing", projectId: home.project, accountId: foreignOwner.id, data });
    testApp.app.deps.signals.emit({
      type: "reader.moved",
      projectId: home.project,
      accountId: foreignOwner.id,
      data: {
        project_id: home.project,
        account_id: foreignOwner.id,
        last_read_message_id: home.message,
        moved_at: new Date(testApp.clock.now()).toISOString(),
      },
    });
    const history: Probe = [chat.chatHistory, { body: { project_id: home.project } }];
    const agent = await createAgent(testApp, { createdBy: owner, projects: [home.project] });
    // The events of the test above caused the first five, and each subscription the presence.
    const probes: Omit<Record<SignalType, Probe>, "file.progress"> = {
      "project.activity": history,
      "project.changed": [projects.getProject, { body: { project_id: home.project } }],
      "agent_tasks.changed": [agentTasks.listAgentTasks, { params: { agent_id: agent }, query: { project_id: String(home.project) } }],
      "agent_actions.changed": [agentActions.listAgentActions, { params: { agent_id: agent }, query: { project_id: String(home.project) } }],
      "playlists.changed": [playlists.listPlaylists, { query: { project_id: String(home.project) } }],
      typing: history,
      presence: history,
      "reader.moved": [messages.listReaders, { params: { project_id: home.project }, query: {} }],
    };
    expect([...Object.keys(probes), "file.progress"].sort()).toEqual(Object.keys(SIGNAL_ACCESS).sort());
    const mismatches: string[] = [];
    for (const [index, receiver] of receivers.entries()) {
      receiver.socket.send({ ping: index });
      await receiver.socket.nextFrame("pong");
      const received = new Set(receiver.socket.frames.flatMap((frame) => ("signal" in frame ? [(frame.signal as { type: string }).type] : [])));
      for (const [type, probe] of Object.entries(probes)) {
        const isExpected = await isShown(receiver, probe);
        if (received.has(type) !== isExpected) mismatches.push(`${receiver.label}: ${type} ${isExpected ? "missing" : "not for them"}`);
      }
    }
    expect(mismatches).toEqual([]);
  });
});
