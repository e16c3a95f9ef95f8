/** Creates the demo beside a project of real people, removes it, and compares everything that is stored with the time before. */
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { listAuditEntries } from "../../../contract/operations/audit.ts";
import { chatHistory, sendMessage } from "../../../contract/operations/chat.ts";
import { getDemo, removeDemo } from "../../../contract/operations/demo.ts";
import { listMembers, updateMember } from "../../../contract/operations/accounts.ts";
import { readNotifications } from "../../../contract/operations/notifications.ts";
import { addProjectMember, createProject, listProjects } from "../../../contract/operations/projects.ts";
import { listDeletedProjects } from "../../../contract/operations/deleted-projects.ts";
import { createOpenApp } from "../../app.ts";
import { readAllRows } from "../../testing/database-rows.ts";
import { ENGINES } from "../../testing/engines.ts";
import { openStorage, upload } from "../../testing/files.ts";
import { firstTeamId } from "../../testing/fixtures.ts";
import { createSession, joinTeam, setUpOwner, type Person } from "../../testing/people.ts";
import { startTestApp, type TestApp } from "../../testing/test-app.ts";
import { eraseDeletedProjects } from "../project-erasure/erase-deleted-projects.ts";
import { placeholder } from "./assets.fixture.ts";
import { createDemo } from "./create-demo.ts";
import { claimRun } from "./run.ts";

/** Logs, and tables that count what has happened. */
const LOGS = ["audit", "events", "topics", "idempotency", "job_turns", "attempts", "jobs", "outbound_events", "notification_deliveries"];

describe.each(ENGINES)("removing the demo on %s", { timeout: 300_000 }, (engine) => {
  let testApp: TestApp;
  let owner: Person;
  let member: Person;
  let project: { id: number; team_id: number; root_folder_id?: number | null };
  afterEach(() => testApp.close());

  async function start() {
    testApp = await startTestApp(engine);
    owner = await setUpOwner(testApp);
    const team = await firstTeamId(testApp, owner);
    member = await joinTeam(testApp, owner, "member", { team, role: "member" });
    const body = { team_id: team, name: "Signal Path LP" };
    project = (await testApp.call(owner, createProject, { body })).response.data;
    await testApp.call(owner, addProjectMember, { params: { project_id: project.id }, body: { account_id: member.id } });
    await upload(testApp, member, { parent: project.root_folder_id ?? 0 });
    await testApp.call(member, sendMessage, { body: { project_id: project.id, body: "Ours" } });
    // The demo marks the notifications of its own people's invites as read, and with them all of that kind.
    await testApp.call(owner, readNotifications, { body: { kinds: ["invite_accepted"] } });
  }

  async function runDemo(): Promise<number> {
    const { organisation_id: organisationId } = await testApp.database.read
      .selectFrom("accounts")
      .select("organisation_id")
      .where("id", "=", owner.id)
      .executeTakeFirstOrThrow();
    const token = await claimRun(testApp.database, testApp.clock.now(), organisationId, true);
    const assets = { bytes: (name: Parameters<typeof placeholder>[0]) => Promise.resolve(placeholder(name)) };
    const openApp = createOpenApp(testApp);
    const options = { ...testApp, organisationId, ownerId: owner.id, token: token!, openApp, processedBy: "nobody" as const, assets };
    const { projectId } = await createDemo(options);
    testApp.clock.advance(60_000);
    return projectId;
  }
  const loadDemo = async () => (await testApp.call(owner, getDemo)).response.data;

  /** Runs the job, and stops at the first error. */
  async function finishRemoval(): Promise<void> {
    let failure: unknown;
    const stop = testApp.app.services.demoRemoval.start((error) => (failure = error));
    while ((await loadDemo()).state === "removing" && failure === undefined) await sleep(5);
    await stop();
    expect(failure).toBeUndefined();
  }

  it("removes all that it has created, and keeps everything else as it was", async () => {
    await start();
    expect(await loadDemo()).toMatchObject({ state: "none", contents: null });
    await expect(testApp.call(owner, removeDemo).then(({ response }) => response)).rejects.toThrow("There is no demo.");
    const before = await readAllRows(testApp.database);
    const lastSeen = testApp.clock.now();
    const stored = await Readable.from(openStorage(testApp).list()).toArray();
    const projectId = await runDemo();
    const body = { project_id: projectId, body: "What is this?" };
    await testApp.call(owner, sendMessage, { body });
    const { contents } = await loadDemo();
    expect(contents).toMatchObject({
      projects: ["Aurora, reel 3", "Halden Sessions", "Nightdrive EP", "Podcast masters"],
      people: ["Ana Kovač", "Ben Okafor", "Mia Lindqvist", "Leo Tan", "Sara Haddad", "Jonas Weber"],
      agents: ["Mix bot"],
      metadata_templates: ["Release"],
      delivery_rules: true,
      files_added_by_others: 0,
      messages_added_by_others: 1,
    });
    expect((await testApp.call(owner, removeDemo)).response.data).toMatchObject({ state: "removing", progress: 0, contents: null });
    // Nobody sees its projects from now on, writes into them, or restores them.
    expect((await testApp.call(owner, listProjects)).response.data.map(({ name }) => name)).toEqual(["Signal Path LP"]);
    expect((await testApp.call(owner, sendMessage, { body })).status).toBe(404);
    expect((await testApp.call(owner, listDeletedProjects)).response.data).toEqual([]);
    // They are left to this job.
    expect(await eraseDeletedProjects(testApp, testApp.app.services.projectErasure)).toBe(0);
    // A repeated request changes nothing.
    expect((await testApp.call(owner, removeDemo)).response.data.state).toBe("removing");
    await finishRemoval();
    // The owner has been seen later than before.
    await testApp.database.write((tx) => tx.updateTable("accounts").set({ last_seen_at: lastSeen }).where("id", "=", owner.id).execute());
    await testApp.database.write((tx) => tx.updateTable("sessions").set({ last_seen_at: lastSeen }).where("account_id", "=", owner.id).execute());
    const after = await readAllRows(testApp.database);
    for (const [table, rows] of before) if (!LOGS.includes(table)) expect({ table, rows: after.get(table) }).toEqual({ table, rows });
    for (const table of ["events", "topics"] as const)
      expect(await testApp.database.read.selectFrom(table).select("topic").where("topic", "=", `project:${projectId}`).execute()).toEqual([]);
    expect(await Readable.from(openStorage(testApp).list()).toArray()).toEqual(stored);
    expect((await testApp.call(owner, listProjects)).response.data.map(({ name }) => name)).toEqual(["Signal Path LP"]);
    const entries = (await testApp.call(owner, listAuditEntries)).response.data;
    expect(entries.filter(({ action }) => action === "demo.removed")).toHaveLength(1);
  });

  it("keeps people of the demo as former members where others have something of them, and lets it be created again", async () => {
    await start();
    const demoProject = await runDemo();
    const people = (await testApp.call(owner, listMembers)).response.data;
    const ben = people.find(({ username }) => username === "Ben Okafor")!;
    await testApp.call(owner, addProjectMember, { params: { project_id: project.id }, body: { account_id: ben.id } });
    await testApp.call(owner, updateMember, { params: { account_id: ben.id }, body: { role: "owner" } });
    const asBen = await createSession(testApp, ben.id, "Ben");
    await testApp.call(asBen, sendMessage, { body: { project_id: project.id, body: "Hello from Ben" } });
    // He is of the demo, although he is an owner now.
    await expect(testApp.call(asBen, removeDemo).then(({ response }) => response)).rejects.toThrow("You are signed in as one of the demo's people");
    // A real person leaves traces in the demo, which go with it.
    await testApp.call(owner, addProjectMember, { params: { project_id: demoProject }, body: { account_id: member.id } });
    await testApp.call(member, sendMessage, { body: { project_id: demoProject, body: "I was here" } });

    await testApp.call(owner, removeDemo);
    await finishRemoval();

    const left = (await testApp.call(owner, listMembers)).response.data;
    expect(left.map(({ id, username, disabled, email }) => ({ id, username, disabled, hasEmail: email !== "" }))).toEqual([
      { id: owner.id, username: expect.any(String), disabled: false, hasEmail: true },
      { id: member.id, username: expect.any(String), disabled: false, hasEmail: true },
      { id: ben.id, username: "Former member", disabled: true, hasEmail: false },
    ]);
    const messages = (await testApp.call(owner, chatHistory, { body: { project_id: project.id } })).response.data;
    expect(messages.map(({ body, account_id }) => [body, account_id])).toEqual([
      ["Ours", member.id],
      ["Hello from Ben", ben.id],
    ]);
    expect((await testApp.call(asBen, listProjects)).status).toBe(401);
    // The names are free for the next demo.
    await runDemo();
    expect((await loadDemo()).contents?.people).toContain("Ben Okafor");
  });
});
