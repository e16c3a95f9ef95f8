/** A deleted project is invisible wherever something of it could appear, comes back exactly as it was, and is erased after 30 days. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../../contract/define-operation.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as agentActions from "../../../contract/operations/agent-actions.ts";
import * as agentTasks from "../../../contract/operations/agent-tasks.ts";
import * as agents from "../../../contract/operations/agents.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as favorites from "../../../contract/operations/favorites.ts";
import * as filesView from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as knowledge from "../../../contract/operations/knowledge.ts";
import * as messages from "../../../contract/operations/messages.ts";
import * as metadata from "../../../contract/operations/metadata.ts";
import * as notifications from "../../../contract/operations/notifications.ts";
import * as playlists from "../../../contract/operations/playlists.ts";
import * as deletion from "../../../contract/operations/deleted-projects.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as resources from "../../../contract/operations/resources.ts";
import { search } from "../../../contract/operations/search.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import * as teams from "../../../contract/operations/teams.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import type { Tx } from "../../db/schema.ts";
import { insertAction } from "../../testing/agent-actions.ts";
import { createAgent } from "../../testing/agents.ts";
import type { Caller, UntypedInput } from "../../testing/client.ts";
import { setPages } from "../../testing/documents.ts";
import { ENGINES } from "../../testing/engines.ts";
import { markProcessed, openStorage, storedBytes, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { insertNotification } from "../../testing/notifications.ts";
import { createSession } from "../../testing/people.ts";
import { waitForLockWaiters } from "../../testing/row-locks.ts";
import { expectFreshIndexes } from "../../testing/search-entries.ts";
import { registerEndpoint } from "../../testing/webhooks.ts";
import { keysOf } from "../files/blob-keys.ts";
import { postponeHidden } from "../webhooks/deleted-projects.ts";
import { PROJECT_RETENTION_MS } from "./project-retention.ts";

/** Part of every name and text in the project. */
const WORD = "zanzibar";
type Probe = [label: string, operation: Operation, input: UntypedInput];

interface Filled {
  project: number;
  root: number;
  file: number;
  signedUrl: string;
  delivery: number;
  probes: Probe[];
  /** Everything that names no record of the project. */
  lists: Probe[];
}

/** Creates a project with something of every kind in it. */
async function fillProject(fixtures: Fixtures): Promise<Filled> {
  const { testApp, owner, member, guest, home } = fixtures;
  const call = async <T = { id: number }>(caller: Caller, operation: Operation, input: UntypedInput): Promise<T> => {
    const { status, response, text } = await testApp.callUntyped(caller, operation, input);
    if (status >= 300) throw new Error(`${operation.path}: ${text}`);
    return (response as { data: T }).data;
  };
  const group = await call(owner, teams.createGroup, { body: { team_id: home.team, name: `Group of ${WORD}` } });
  const created = await call<{ id: number; root_folder_id: number }>(owner, projects.createProject, {
    body: { name: `${WORD} sessions`, team_id: home.team, group_id: group.id },
  });
  const project = created.id;
  for (const { id } of [member, guest]) await call(owner, projects.addProjectMember, { params: { project_id: project }, body: { account_id: id } });
  const file = await upload(testApp, owner, { parent: created.root_folder_id, name: `${WORD} mix.wav` });
  await markProcessed(testApp, file);
  const message = await call(owner, chat.sendMessage, { body: { project_id: project, body: `<@${member.id}> ${WORD}`, attachment_ids: [file] } });
  const reply = await call(member, chat.sendMessage, { body: { project_id: project, body: WORD, reply_to_id: message.id, parent_message_id: message.id } });
  const comment = await call(owner, comments.writeComment, { params: { file_id: file }, body: { body: WORD, version: 1 } });
  await call(member, comments.writeComment, { params: { file_id: file }, body: { body: WORD, version: 1, parent_id: comment.id } });
  const [task] = await call<{ id: number }[]>(owner, tasks.createTasks, { body: { file_id: file, tasks: [{ title: WORD, assignee_account_id: member.id }] } });
  const playlist = await call(owner, playlists.createPlaylist, { body: { project_id: project, name: WORD } });
  await call(owner, playlists.addPlaylistItems, { params: { playlist_id: playlist.id }, body: { items: [{ file_id: file }] } });
  const elsewhere = await call(owner, playlists.createPlaylist, { body: { project_id: home.project, name: "Of two projects" } });
  await call(owner, playlists.addPlaylistItems, { params: { playlist_id: elsewhere.id }, body: { items: [{ file_id: file }] } });
  const endpoint = await registerEndpoint(testApp, owner, { event_types: ["file.renamed"] });
  await call(owner, files.renameFile, { body: { file_id: file, name: `${WORD} mix 2.wav` } });
  const { id: delivery } = await testApp.database.read.selectFrom("deliveries").select("id").where("endpoint_id", "=", endpoint).executeTakeFirstOrThrow();
  const agent = await createAgent(testApp, { createdBy: owner, projects: [project] });
  const agentTask = await call(owner, agentTasks.createAgentTask, {
    params: { agent_id: agent },
    body: { project_id: project, action: "rule", name: WORD, trigger: { type: "manual" }, steps: [{ type: "post_message", text: WORD }] },
  });
  for (const caller of [owner, member]) {
    for (const [type, item_id] of Object.entries({ project, file, message: message.id, playlist: playlist.id })) {
      await call(caller, favorites.addFavorite, { params: { type, item_id } });
      if (type !== "message") await call(caller, favorites.recordRecentItem, { params: { type, item_id }, body: { action: "opened" } });
    }
    await insertNotification(testApp, caller === owner ? owner.id : member.id, { project_id: project, message_id: message.id });
  }
  await call(owner, notifications.updateProjectNotificationSettings, { params: { project_id: project }, body: { muted: true } });
  await setPages(testApp, file, [`The word is ${WORD}`]);
  await testApp.database.write((tx) => insertAction(tx, { agent, project, message: message.id }));
  const { url } = await call<{ url: string }>(member, files.createSignedUrl, { params: { file_id: file }, body: {} });

  const inProject = { params: { project_id: project } };
  const ofFile = { params: { file_id: file } };
  const probes: Probe[] = [
    ["project", projects.getProject, { body: { project_id: project } }],
    ["project v2", resources.getProjectV2, inProject],
    ["members", projects.listProjectMembers, inProject],
    ["update", projects.updateProject, { ...inProject, body: { name: "x" } }],
    ["group", teams.getGroup, { body: { group_id: group.id } }],
    ["chat", chat.chatHistory, { body: { project_id: project } }],
    ["message", resources.getMessage, { params: { project_id: project, message_id: reply.id } }],
    ["search of the chat", messages.searchMessages, { ...inProject, query: { q: WORD } }],
    ["send", chat.sendMessage, { body: { project_id: project, body: "x" } }],
    ["readers", messages.listReaders, { ...inProject, query: {} }],
    ["read marker", chat.getReadMarker, inProject],
    ["file list", filesView.listFiles, { ...inProject, query: { folder_id: created.root_folder_id } }],
    ["folders", filesView.listFolders, inProject],
    ["facets", filesView.getFileFacets, { ...inProject, query: {} }],
    ["file", files.getFileInfo, { body: { file_id: file } }],
    ["versions", files.listVersions, ofFile],
    ["bytes", files.getContent, { params: { ...ofFile.params, number: 1, variant: "original" } }],
    ["signed url", files.createSignedUrl, { ...ofFile, body: {} }],
    ["pages", knowledge.listFilePages, { ...ofFile, query: {} }],
    ["comments", comments.listComments, { ...ofFile, query: {} }],
    ["metadata", metadata.getFileMetadata, ofFile],
    ["watch", notifications.getFileWatch, ofFile],
    ["notification settings", notifications.getProjectNotificationSettings, inProject],
    ["task", tasks.getTask, { params: { task_id: task!.id } }],
    ["playlist", playlists.getPlaylist, { params: { playlist_id: playlist.id } }],
    ["agent task", agentTasks.getAgentTask, { params: { task_id: agentTask.id } }],
    ["delivery", webhooks.getDelivery, { params: { delivery_id: delivery } }],
  ];
  const lists: Probe[] = [
    ["projects", projects.listProjects, { query: {} }],
    ["groups", teams.listGroups, { body: { team_id: home.team } }],
    ["groups v2", resources.listGroupsV2, { query: {} }],
    ["people", accounts.listMembers, { query: {} }],
    ["favorites", favorites.listFavorites, { query: {} }],
    ["recent items", favorites.listRecentItems, { query: {} }],
    ["notifications", notifications.listNotifications, { query: {} }],
    ["settings by project", notifications.listProjectNotificationSettings, { query: {} }],
    ["tasks", tasks.listTasks, { query: {} }],
    ["playlists", playlists.listPlaylists, { query: {} }],
    ["items of a playlist elsewhere", playlists.listPlaylistItems, { params: { playlist_id: elsewhere.id } }],
    ["search", search, { query: { q: WORD } }],
    ["knowledge base", knowledge.searchKnowledgeBase, { query: { query: WORD } }],
    ["files", files.findFiles, { body: { team_id: home.team, query: WORD } }],
    ["agents", agents.listAgents, { query: {} }],
    ["agent tasks", agentTasks.listAgentTasks, { params: { agent_id: agent }, query: {} }],
    ["agent actions", agentActions.listAgentActions, { params: { agent_id: agent }, query: {} }],
    ["deliveries", webhooks.listDeliveries, { params: { endpoint_id: endpoint }, query: {} }],
  ];
  return { project, root: created.root_folder_id, file, signedUrl: new URL(url, "http://x").pathname, delivery, probes, lists };
}

describe.each(ENGINES)("a deleted project on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let filled: Filled;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    filled = await fillProject(fixtures);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const readers = () => ({ owner: fixtures.owner, member: fixtures.member, guest: fixtures.guest });
  const ask = async (probes: readonly Probe[]) => {
    const answers: Record<string, { status: number; text: string }> = {};
    for (const [name, caller] of Object.entries(readers()))
      for (const [label, operation, input] of probes) {
        const { status, text } = await fixtures.testApp.callUntyped(caller, operation, input);
        // Of a refusal the status says it all; its id is another one each time.
        answers[`${label} for ${name}`] = { status, text: status < 300 ? text : "" };
      }
    return answers;
  };
  const hasProject = (text: string) => text.toLowerCase().includes(WORD) || new RegExp(`"project_ids?":(?:\\[[^\\]]*)?\\b${filled.project}\\b`).test(text);
  const readSigned = async () => (await fixtures.testApp.send({ name: "nobody", headers: {} }, { method: "GET", url: filled.signedUrl })).status;
  /** Some lists tell up to which event they are current, and deleting and restoring are two events. */
  const withSeqOf = (before: { status: number; text: string }, after: { text: string }) => ({
    status: before.status,
    text: before.text.replace(/"seq":\d+/, /"seq":\d+/.exec(after.text)?.[0] ?? ""),
  });
  const unread = async () => (await fixtures.testApp.call(fixtures.member, notifications.listNotifications, { query: {} })).response["unread_count"];

  test("is found nowhere, and comes back exactly as it was", async () => {
    const { testApp, owner, member } = fixtures;
    const reading = filled.probes.filter(([label]) => !["send", "update", "signed url"].includes(label));
    const before = { ...(await ask(reading)), ...(await ask(filled.lists)) };
    // Each list can show something of it to somebody, so that its absence later says something.
    const shows = filled.lists.map(
      ([label]) => [label, ["owner", "member", "guest"].some((name) => hasProject(before[`${label} for ${name}`]!.text))] as const,
    );
    const silent = shows.filter(([, isShown]) => !isShown).map(([label]) => label);
    expect(silent).toEqual([]);
    expect(await readSigned()).toBe(200);
    const count = await unread();

    expect((await testApp.call(owner, deletion.deleteProject, { params: { project_id: filled.project } })).response.data).toMatchObject({ file_count: 1 });
    for (const [label, { status }] of Object.entries(await ask(filled.probes.filter(([name]) => name !== "group"))))
      expect([404, 403], label).toContain(status);
    for (const [label, { status, text }] of Object.entries(await ask(filled.lists)))
      if (!label.startsWith("groups") || !label.endsWith("owner")) expect([label, status < 300 && hasProject(text)]).toEqual([label, false]);
    expect((await testApp.callUntyped(member, teams.getGroup, { body: filled.probes.find(([label]) => label === "group")![2].body })).status).toBe(404);
    expect(await readSigned()).toBe(404);
    expect(await unread()).not.toBe(count);

    expect((await testApp.call(owner, deletion.restoreProject, { params: { project_id: filled.project } })).response.data.name).toBe(`${WORD} sessions`);
    const after = { ...(await ask(reading)), ...(await ask(filled.lists)) };
    for (const label of Object.keys(before)) expect(after[label], label).toEqual(withSeqOf(before[label]!, after[label]!));
    expect(await readSigned()).toBe(200);
  });

  test("lets its deliveries wait until it is restored", async () => {
    const { testApp, owner } = fixtures;
    const { database, clock } = testApp;
    const params = { project_id: filled.project };
    const load = () => database.read.selectFrom("deliveries").selectAll().where("id", "=", filled.delivery).executeTakeFirstOrThrow();
    const claim = (tx: Tx) => claimOne(tx, filled.delivery);
    await database.write(async (tx) => expect(await postponeHidden(tx, engine, [await claim(tx)])).toHaveLength(1));
    await testApp.call(owner, deletion.deleteProject, { params });
    await database.write(async (tx) => expect(await postponeHidden(tx, engine, [await claim(tx)])).toEqual([]));
    expect(await load()).toMatchObject({ state: "pending", next_attempt_at: null, lease_token: null });
    await testApp.call(owner, deletion.restoreProject, { params });
    expect(await load()).toMatchObject({ state: "pending", next_attempt_at: clock.now() });
  });

  test.runIf(engine === "postgres")("a delivery is due that a worker postpones while the project is restored", async () => {
    const { testApp, owner } = fixtures;
    const params = { project_id: filled.project };
    await testApp.call(owner, deletion.deleteProject, { params });
    const [postponed, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const working = testApp.database.write(async (tx) => {
      expect(await postponeHidden(tx, engine, [await claimOne(tx, filled.delivery)])).toEqual([]);
      postponed.resolve();
      await committing.promise;
    });
    await postponed.promise;
    const restoring = testApp.call(owner, deletion.restoreProject, { params });
    await waitForLockWaiters(testApp, 1).finally(committing.resolve);
    await working;
    expect((await restoring).status).toBe(200);
    const delivery = await testApp.database.read.selectFrom("deliveries").selectAll().where("id", "=", filled.delivery).executeTakeFirstOrThrow();
    expect(delivery).toMatchObject({ state: "pending", next_attempt_at: testApp.clock.now() });
  });

  test("is erased after 30 days with all rows and bytes, and nothing else is", async () => {
    const { testApp, owner } = fixtures;
    const { database } = testApp;
    const versions = await database.read
      .selectFrom("file_versions")
      .innerJoin("files", "files.id", "file_versions.file_id")
      .selectAll("file_versions")
      .where("files.project_id", "=", filled.project)
      .execute();
    const keys = versions.flatMap((version) => keysOf(version).map(({ key }) => key));
    const remaining = async (table: "files" | "messages" | "comments" | "playlists" | "project_members") =>
      (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where project_id <> ${filled.project}`.execute(database.read)).rows[0]!.n;
    const others = await Promise.all((["files", "messages", "comments", "playlists", "project_members"] as const).map(remaining));
    await testApp.call(owner, deletion.deleteProject, { params: { project_id: filled.project } });
    const erase = () => testApp.app.scheduledJobs["erase deleted projects"]!();
    testApp.clock.advance(PROJECT_RETENTION_MS - 1);
    expect(await erase()).toBe(0);
    testApp.clock.advance(1);
    const bySession = { ...owner, ...(await createSession(testApp, owner.id, owner.name)) };
    expect((await testApp.call(bySession, deletion.listDeletedProjects)).response.data).toEqual([]);
    expect((await testApp.call(bySession, deletion.restoreProject, { params: { project_id: filled.project } })).status).toBe(404);
    expect(await erase()).toBe(1);
    expect(await erase()).toBe(0);
    for (const key of keys) expect(await openStorage(testApp).size(key)).toBeNull();
    const tables = await referringTables(testApp.database.read, engine);
    expect(tables.length).toBeGreaterThan(10);
    for (const table of tables)
      expect([table, (await sql`select 1 from ${sql.table(table)} where project_id = ${filled.project}`.execute(database.read)).rows.length]).toEqual([
        table,
        0,
      ]);
    expect(await Promise.all((["files", "messages", "comments", "playlists", "project_members"] as const).map(remaining))).toEqual(others);
    await storedBytes(testApp);
    await expectFreshIndexes(database);
  });

  async function claimOne(tx: Tx, id: number) {
    const claimed = { lease_token: "test", lease_until: 1, next_attempt_at: 1 };
    const delivery = await tx.updateTable("deliveries").set(claimed).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
    const endpoint = await tx.selectFrom("webhook_endpoints").selectAll().where("id", "=", delivery.endpoint_id).executeTakeFirstOrThrow();
    const event = await tx.selectFrom("outbound_events").selectAll().where("id", "=", delivery.event_id).executeTakeFirstOrThrow();
    return { delivery: { ...delivery, lease_token: "test" }, endpoint, event };
  }
});

/** The tables with a column `project_id`, except those of finished work. */
async function referringTables(db: Fixtures["testApp"]["database"]["read"], engine: string): Promise<string[]> {
  const query =
    engine === "postgres"
      ? sql<{ name: string }>`select table_name as name from information_schema.columns where column_name = 'project_id' and table_schema = current_schema()`
      : sql<{ name: string }>`select m.name from sqlite_schema m join pragma_table_info(m.name) c on c.name = 'project_id' where m.type = 'table'`;
  return (await query.execute(db)).rows.map(({ name }) => name).filter((name) => name !== "demos");
}
