/** Fills a project with a row of every kind, erases it, and compares everything that is stored with the time before the project. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import * as comments from "../../../contract/operations/comments.ts";
import { addFavorite } from "../../../contract/operations/favorites.ts";
import { setFileStatus } from "../../../contract/operations/files.ts";
import * as messages from "../../../contract/operations/messages.ts";
import { sendMessage } from "../../../contract/operations/chat.ts";
import { updateFileMetadata } from "../../../contract/operations/metadata.ts";
import { createPlaylist } from "../../../contract/operations/playlists.ts";
import { addProjectMember, createProject, listProjects } from "../../../contract/operations/projects.ts";
import { createTasks } from "../../../contract/operations/tasks.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import type { Schema } from "../../db/schema.ts";
import { createEventLog } from "../../events/log.ts";
import { insertAnyRow, readAllRows } from "../../testing/database-rows.ts";
import { setPages } from "../../testing/documents.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, currentVersion, markProcessed, openStorage, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createMetadataTemplate, fieldOf } from "../../testing/metadata.ts";
import { createProjectErasure } from "./erase-project.ts";
import { projectRows } from "./project-rows.ts";

/** Tables to which work in a project may add rows that are not of the project: logs, and the events of accounts. */
const LOGS = ["audit", "events", "topics", "idempotency", "job_turns", "attempts"];

/** Creates a project and gives it a row of everything; returns its id and the key of a file's bytes. */
async function fillProject(
  { testApp, owner, member, guest, home }: Fixtures,
  template: Awaited<ReturnType<typeof createMetadataTemplate>>,
  agent: number,
  endpoint: number,
) {
  const { call, database } = testApp;
  const { data: project } = (await call(owner, createProject, { body: { team_id: home.team, name: "To be erased" } })).response;
  const inProject = { project_id: project.id };
  for (const person of [member, guest]) await call(owner, addProjectMember, { params: inProject, body: { account_id: person.id } });
  const root = project.root_folder_id ?? 0;
  const inner = await createFolder(testApp, member, root, "Mixes");
  const file = await upload(testApp, member, { parent: inner });
  await markProcessed(testApp, file);
  await setPages(testApp, file, ["Words of the song"]);
  await upload(testApp, member, { versionOf: file });
  await markProcessed(testApp, file);
  const statuses = (await call(member, listFileStatuses, { body: { team_id: home.team } })).response.data;
  await call(member, setFileStatus, { body: { file_id: file, status_id: statuses.at(-1)!.id } });
  const playlist = (await call(member, createPlaylist, { body: { ...inProject, name: "Order", items: [{ file_id: file }] } })).response.data.id;
  const said = { ...inProject, attachment_ids: [file], playlist_id: null };
  const first = (await call(member, sendMessage, { body: { ...said, body: `Louder, <@${owner.id}>` } })).response.data.id;
  await call(owner, sendMessage, { body: { ...inProject, body: "Yes", parent_message_id: first, playlist_id: playlist } });
  await call(owner, messages.addReaction, { params: { ...inProject, message_id: first, emoji: "🔥" } });
  const inFile = { file_id: file };
  const comment = (
    await call(member, comments.writeComment, { params: inFile, body: { body: `Here, <@${owner.id}>`, position_ms: 10, attachment_ids: [file] } })
  ).response.data.id;
  await call(owner, comments.writeComment, { params: inFile, body: { body: "And here", parent_comment_id: comment } });
  await call(member, createTasks, { body: { ...inFile, tasks: [{ title: "Master it", assignee_account_id: owner.id }] } });
  for (const [type, item_id] of Object.entries({ project: project.id, file, playlist, message: first }))
    await call(owner, addFavorite, { params: { type, item_id } });
  await call(owner, updateFileMetadata, { params: inFile, body: { values: { [fieldOf(template, "Take").id]: 3 } } });
  const { id: version, blob_key } = await currentVersion(testApp, file);
  await database.write(async (tx) => {
    const now = testApp.clock.now();
    const insert = (table: keyof Schema, values: Record<string, unknown>) => insertAnyRow(tx, table, values);
    await insert("outbound_events", { id: `event-${project.id}`, organisation_id: 1, ...inProject });
    const delivery = await insert("deliveries", { endpoint_id: endpoint, event_id: `event-${project.id}`, state: "delivered" });
    await insert("delivery_attempts", { delivery_id: delivery });
    await insert("agent_subscription_cursors", { endpoint_id: endpoint, ...inProject, seq: 0 });
    await insert("agent_actions", { agent_id: agent, ...inProject });
    const task = await insert("agent_tasks", { agent_id: agent, ...inProject, created_by: owner.id, state: "active" });
    const run = await insert("agent_task_runs", { task_id: task, file_id: file, state: "waiting" });
    await insert("jobs", { kind: "agent.run", subject_id: run });
    const { id: notification } = await tx.selectFrom("notifications").select("id").where("project_id", "=", project.id).limit(1).executeTakeFirstOrThrow();
    const email = await insert("notification_deliveries", { account_id: owner.id, channel: "mail" });
    await insert("notification_delivery_items", { delivery_id: email, notification_id: notification });
    await insert("project_notification_settings", { account_id: owner.id, ...inProject });
    await insert("recent_items", { account_id: owner.id, item_type: "file", item_id: file });
    await insert("document_texts", { version_id: version, state: "indexed" });
    await insert("file_tags", { ...inProject, tag: "house", file_id: file });
    await insert("uploads", { id: `upload-${project.id}`, account_id: owner.id, destination: JSON.stringify({ parentId: inner }), created_at: now });
    // A folder may be newer than what is in it.
    await tx
      .updateTable("files")
      .set({ parent_id: await insert("files", { ...inProject, parent_id: root, is_folder: 1, name_key: "newer", created_by: owner.id }) })
      .where("id", "=", inner)
      .execute();
  });
  return { id: project.id, blobKey: blob_key };
}

describe.each(ENGINES)("erasing a project on %s", { timeout: 60_000 }, (engine) => {
  it("leaves no row, byte or index entry of it, and everything else as it was", async () => {
    const fixtures = await createFixtures(engine);
    const { testApp, owner } = fixtures;
    onTestFinished(() => testApp.close());
    const { database, app } = testApp;
    const template = await createMetadataTemplate(fixtures);
    const [agent, endpoint] = await database.write(async (tx) => [
      await insertAnyRow(tx, "accounts", { organisation_id: 1, username_key: "bot", email_key: "agent bot", role: "member", is_agent: 1 }),
      await insertAnyRow(tx, "webhook_endpoints", { organisation_id: 1, created_by: owner.id, event_types: "[]" }),
    ]);
    // A project with the same content stays.
    await fillProject(fixtures, template, agent, endpoint);
    const before = await readAllRows(database);
    const project = await fillProject(fixtures, template, agent, endpoint);
    const { beforeVersions, afterVersions } = projectRows(project.id, engine);
    for (const { table, where } of [...beforeVersions, ...afterVersions]) {
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)} where ${where}`.execute(database.read);
      expect(Number(rows[0]?.count), `rows of the project in ${table}`).toBeGreaterThan(0);
    }

    await app.services.projectErasure.erase(project.id);

    const after = await readAllRows(database);
    for (const [table, rows] of before) {
      const left = new Set(after.get(table));
      const isLog = LOGS.includes(table);
      expect({ table, rows: rows.filter((row) => !left.has(row)) }).toEqual({ table, rows: isLog ? expect.anything() : [] });
      if (!isLog) expect({ table, count: after.get(table)?.length }).toEqual({ table, count: rows.length });
    }
    const topic = `project:${project.id}`;
    for (const table of ["events", "topics"] as const)
      expect(await database.read.selectFrom(table).select("topic").where("topic", "=", topic).execute()).toEqual([]);
    expect(await openStorage(testApp).size(project.blobKey)).toBeNull();
    expect(existsSync(join(testApp.config.dataDir, "files", "blobs", project.blobKey.slice(0, 2), project.blobKey))).toBe(false);
    // Erasing it again, as after an interruption, does nothing.
    await app.services.projectErasure.erase(project.id);
    expect(await readAllRows(database)).toEqual(after);
  });

  it("erases what people still add while the bytes go", async () => {
    const { testApp, owner, member, home, apart } = await createFixtures(engine);
    onTestFinished(() => testApp.close());
    const { database, clock, call } = testApp;
    const file_id = await upload(testApp, member, { parent: home.folder });
    const storage = openStorage(testApp);
    let addLate: (() => Promise<void>) | undefined = async () => {
      addLate = undefined;
      await call(member, comments.writeComment, { params: { file_id }, body: { body: "Wait", attachment_ids: [file_id] } });
      await call(member, sendMessage, { body: { project_id: home.project, body: "Wait", attachment_ids: [file_id] } });
      await call(member, createPlaylist, { body: { project_id: home.project, name: "Wait", items: [{ file_id }] } });
      expect(await database.read.selectFrom("comment_attachments").select("file_id").execute()).toEqual([{ file_id }]);
    };
    const remove = async (key: string) => {
      await addLate?.();
      await storage.remove(key);
    };
    await createProjectErasure({ database, events: createEventLog(database, clock), storage: { ...storage, remove } }).erase(home.project);
    expect(addLate).toBeUndefined();
    const left = (await call(owner, listProjects)).response.data.map(({ id }) => id);
    expect(left).not.toContain(home.project);
    expect(left).toContain(apart.project);
  });
});

it("knows every table that refers to a project, directly or through others, and which of them refer to versions", async () => {
  const fixtures = await createFixtures("sqlite");
  onTestFinished(() => fixtures.testApp.close());
  const { read } = fixtures.testApp.database;
  const references = await Promise.all(
    (await read.introspection.getTables()).map(async ({ name }) => {
      const { rows } = await sql<{ table: string }>`select "table" from pragma_foreign_key_list(${name})`.execute(read);
      return { name, targets: rows.map(({ table }) => table) };
    }),
  );
  const owned = new Set(["projects"]);
  for (let size = 0; size < owned.size;) {
    size = owned.size;
    for (const { name, targets } of references) if (targets.some((target) => owned.has(target))) owned.add(name);
  }
  const { beforeVersions, afterVersions } = projectRows(1, "sqlite");
  const erased = new Set<string>([...beforeVersions, ...afterVersions].map(({ table }) => table));
  expect([...owned].filter((table) => !erased.has(table)).toSorted()).toEqual(["file_versions", "projects"]);
  const ofVersions = references.flatMap(({ name, targets }) => (targets.includes("file_versions") ? [name] : []));
  expect(beforeVersions.flatMap(({ table, ofVersions: isListed }) => (isListed ? [table] : [])).toSorted()).toEqual(ofVersions.toSorted());
});
