/** Tests the demo on every engine with placeholder assets, because audio rendering has its own tests. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { listAgentTaskRuns, listAgentTasks } from "../../../contract/operations/agent-tasks.ts";
import { listAgents } from "../../../contract/operations/agents.ts";
import { chatHistory } from "../../../contract/operations/chat.ts";
import { listComments } from "../../../contract/operations/comments.ts";
import { getDemo, createDemo as createDemoOperation } from "../../../contract/operations/demo.ts";
import { listVersions, listStatusChanges } from "../../../contract/operations/files.ts";
import { listFavorites } from "../../../contract/operations/favorites.ts";
import { getDeliveryRules, setDeliveryRules } from "../../../contract/operations/delivery-rules.ts";
import { createMetadataTemplate, getFileMetadata, listMetadataTemplates } from "../../../contract/operations/metadata.ts";
import { listNotifications } from "../../../contract/operations/notifications.ts";
import { listPlaylistItems } from "../../../contract/operations/playlists.ts";
import { listProjects } from "../../../contract/operations/projects.ts";
import { listTasks } from "../../../contract/operations/tasks.ts";
import { createOpenApp } from "../../app.ts";
import { ENGINES } from "../../testing/engines.ts";
import { firstTeamId } from "../../testing/fixtures.ts";
import { setUpOwner, type Person } from "../../testing/people.ts";
import { startTestApp, type TestApp } from "../../testing/test-app.ts";
import { placeholder } from "./assets.fixture.ts";
import { openAssets, type AssetName } from "./assets.ts";
import { createDemo } from "./create-demo.ts";
import { LEASE_MS } from "./run.ts";

/** The asset `failsAt` throws instead of returning bytes. */
const failingAssets = (failsAt?: AssetName) => ({
  async bytes(name: AssetName) {
    if (name === failsAt) throw new Error("The power went out.");
    return placeholder(name);
  },
});

describe.each(ENGINES)("the demo on %s", { timeout: 120_000 }, (engine) => {
  let testApp: TestApp;
  let owner: Person;
  afterEach(() => testApp.close());

  async function runDemo(failsAt?: AssetName, signal?: AbortSignal) {
    expect((await testApp.call(owner, createDemoOperation)).response.data.state).toBe("running");
    const run = testApp.requestedDemos.pop()!;
    return createDemo({ ...testApp, ...run, openApp: createOpenApp(testApp), processedBy: "nobody", assets: failingAssets(failsAt), signal });
  }

  it("resumes an interrupted demo without creating anything twice", async () => {
    testApp = await startTestApp(engine);
    owner = await setUpOwner(testApp);
    await expect(runDemo("v2")).rejects.toThrow("The power went out.");
    expect((await testApp.call(owner, getDemo)).response.data).toMatchObject({ state: "failed", possible: true, failure: "The power went out." });
    const { projectId } = await runDemo();

    expect((await testApp.call(owner, getDemo)).response.data).toMatchObject({ state: "done", possible: false, progress: 1, project_id: projectId });
    // A repeated request returns the existing demo.
    expect((await testApp.call(owner, createDemoOperation)).response.data.state).toBe("done");
    expect(testApp.requestedDemos).toEqual([]);

    const projects = (await testApp.call(owner, listProjects)).response.data;
    expect(projects.map(({ name }) => name).sort()).toEqual(["Aurora, reel 3", "Halden Sessions", "Nightdrive EP", "Podcast masters"]);
    const messages = (await testApp.call(owner, chatHistory, { body: { project_id: projectId, limit: 200 } })).response.data;
    expect(new Set(messages.map(({ body, datetime }) => body + datetime)).size).toBe(messages.length);
    expect(messages.map(({ datetime }) => datetime)).toEqual(messages.map(({ datetime }) => datetime).toSorted());
    const days = (Date.parse(messages.at(-1)!.datetime) - Date.parse(messages[0]!.datetime)) / 86_400_000;
    expect(days).toBeGreaterThan(18);

    // Three mixes are versions of one file, which had changes requested and is approved.
    const attached = messages.flatMap(({ attachments }) => attachments ?? []);
    const mixes = new Set(attached.filter(({ name }) => name === "Nightdrive mix.wav").map(({ id }) => id));
    expect(mixes.size).toBe(1);
    const params = { file_id: [...mixes][0] as number };
    expect((await testApp.call(owner, listVersions, { params })).response.data.map(({ number }) => number)).toEqual([3, 2, 1]);
    const changes = (await testApp.call(owner, listStatusChanges, { params })).response.data;
    expect(changes.map(({ new_status }) => new_status.title)).toEqual([
      "Approved",
      "In review",
      // Each new version resets the status.
      "In progress",
      "Changes requested",
      "In review",
      "In progress",
      "Changes requested",
      "In review",
    ]);
    expect(changes.every(({ note }) => note !== "")).toBe(true);
    // Each comment exists once, at its position and on the version that was current at the time.
    const comments = (await testApp.call(owner, listComments, { params })).response.data;
    expect(comments.map(({ version, resolved_at, parent_comment_id }) => [version, resolved_at !== null, parent_comment_id !== null])).toEqual([
      [2, true, false],
      [2, true, false],
      [2, false, true],
      [2, false, true],
      [3, false, false],
      [3, false, false],
    ]);
    expect(comments[0]).toMatchObject({ position_ms: expect.any(Number), end_ms: expect.any(Number) });
    expect((await testApp.call(owner, listTasks, { query: { mine: "true" } })).response.data).toHaveLength(1);

    // The last messages address the owner who requested the demo. There are a voice note, replies, reactions and an edited message.
    expect(messages.at(-2)?.body).toContain(`<@${owner.id}>`);
    expect(messages.filter(({ is_audio_message }) => is_audio_message)).toHaveLength(1);
    expect(messages.some(({ edited_at }) => edited_at)).toBe(true);
    expect(messages.every(({ body }) => !/(^|\s)@(owner|ana|ben|mia|leo|sara|jonas)\b/.test(body))).toBe(true);

    // One message shows the running order; the owner has favorites, and is notified of the question and the task.
    const [shown] = messages.flatMap(({ playlist }) => playlist ?? []);
    const items = (await testApp.call(owner, listPlaylistItems, { params: { playlist_id: shown?.id ?? 0 } })).response.data;
    expect([shown?.name, ...items.map(({ file }) => file.name)]).toEqual(["Running order", "Nightdrive mix.wav", "Halogen rough.wav", "Paper Moon demo.wav"]);
    const favorites = (await testApp.call(owner, listFavorites)).response.data;
    expect(favorites.map(({ item }) => [item.type, item.name])).toEqual([
      ["file", "Nightdrive mix.wav"],
      ["project", "Nightdrive EP"],
    ]);
    // The songs have metadata that columns of the files view show, and one of them is not cleared yet.
    const [release] = (await testApp.call(owner, listMetadataTemplates, { params: { team_id: projects[0]?.team_id ?? 0 } })).response.data;
    const { values } = (await testApp.call(owner, getFileMetadata, { params })).response.data;
    const valueOf = (name: string) => values[release?.fields.find((field) => field.name === name)?.id ?? 0];
    expect([valueOf("Title"), valueOf("ISRC"), valueOf("Tempo")]).toEqual(["Nightdrive", "SE-PL7-26-00001", 128]);
    expect(valueOf("Release date")).toMatch(/^\d{4}-03-12$/);
    expect(await testApp.database.read.selectFrom("metadata_values").select("file_id").execute()).toHaveLength(30);
    // The team has delivery rules.
    const rules = (await testApp.call(owner, getDeliveryRules, { params: { team_id: projects[0]?.team_id ?? 0 } })).response.data;
    expect(rules).toMatchObject({ loudness: { target: -14, tolerance: 1 }, bit_depths: [16, 24], updated_by_account_id: expect.any(Number) });
    // The agent has one task, which was started once for the approved mix and waits for its analysis.
    const agents = (await testApp.call(owner, listAgents)).response.data;
    expect(agents).toMatchObject([{ username: "Mix bot", role: "member", project_ids: [projectId] }]);
    const tasks = (await testApp.call(owner, listAgentTasks, { params: { agent_id: agents[0]!.id } })).response.data;
    expect(tasks).toMatchObject([{ name: "Announce approved mixes", trigger: { event: "file.status_changed", status_id: expect.any(Number) } }]);
    const runs = (await testApp.call(owner, listAgentTaskRuns, { params: { task_id: tasks[0]!.id } })).response.data;
    expect(runs).toMatchObject([{ file_id: params.file_id, state: "waiting" }]);
    const notifications = (await testApp.call(owner, listNotifications)).response.data;
    expect(notifications.filter(({ read }) => !read).map(({ kind }) => kind)).toEqual(["mention", "task_assigned"]);

    // No email goes to the addresses of the story; the one that waits confirms the owner's.
    const emails = await testApp.database.read.selectFrom("notification_deliveries").select("account_id").where("channel", "=", "mail").execute();
    expect(emails).toEqual([{ account_id: owner.id }]);

    // No API token outlives the run.
    expect(await testApp.database.read.selectFrom("api_tokens").selectAll().where("revoked_at", "is", null).execute()).toEqual([]);
  });
});

describe.each(ENGINES)("a demo whose service stops, on %s", { timeout: 120_000 }, (engine) => {
  it("records no failure and can be resumed once its lease has expired", async () => {
    const testApp = await startTestApp(engine);
    onTestFinished(() => testApp.close());
    const owner = await setUpOwner(testApp);
    const params = { team_id: await firstTeamId(testApp, owner) };
    await testApp.call(owner, createMetadataTemplate, { params, body: { name: "release" } });
    const ownRules = { loudness: null, true_peak_max: -3, sample_rates: [], bit_depths: [], channels: [], formats: [], name_pattern: null };
    await testApp.call(owner, setDeliveryRules, { params, body: ownRules });
    await testApp.call(owner, createDemoOperation);
    const stopping = new AbortController();
    const assets = {
      bytes: (name: AssetName) => {
        stopping.abort();
        return Promise.resolve(placeholder(name));
      },
    };
    const run = { ...testApp, ...testApp.requestedDemos.pop()!, openApp: createOpenApp(testApp), processedBy: "nobody" as const };
    await expect(createDemo({ ...run, assets, signal: stopping.signal })).rejects.toThrow("aborted");
    expect((await testApp.call(owner, getDemo)).response.data).toMatchObject({ state: "running", failure: null });
    testApp.clock.advance(LEASE_MS + 1);
    expect((await testApp.call(owner, getDemo)).response.data).toMatchObject({ state: "failed", possible: true });
    expect((await testApp.call(owner, createDemoOperation)).response.data.state).toBe("running");
    await createDemo({ ...run, ...testApp.requestedDemos.pop()!, assets: failingAssets() });
    expect((await testApp.call(owner, getDemo)).response.data.state).toBe("done");
    // The team's own template with the name of the demo's, and its own delivery rules, stay as they were.
    const templates = (await testApp.call(owner, listMetadataTemplates, { params })).response.data;
    expect(templates.map(({ name, fields }) => [name, fields.length])).toEqual([["release", 0]]);
    expect((await testApp.call(owner, getDeliveryRules, { params })).response.data).toMatchObject(ownRules);
  });
});

it("ships its files in less than 4 MB, and uploads songs as WAV and stems as FLAC of the length they have in the story", async () => {
  const folder = join(import.meta.dirname, "assets");
  expect(readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThan(4_000_000);
  const assets = openAssets();
  const mix = await assets.bytes("v2");
  expect([mix.toString("latin1", 0, 4), mix.readUInt32LE(24)]).toEqual(["RIFF", 44_100]);
  expect(mix.readUInt32LE(40) / (44_100 * 4)).toBeCloseTo(61.5, 1);
  expect((await assets.bytes("drums")).toString("latin1", 0, 4)).toBe("fLaC");
  expect((await assets.bytes("cover")).toString("latin1", 1, 4)).toBe("PNG");
  expect((await assets.bytes("notes")).toString("latin1", 0, 4)).toBe("%PDF");
});
