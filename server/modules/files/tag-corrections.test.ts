/** Tests manual corrections of tempo and key: where they show, and what resets them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MUSIC_KEYS } from "../../../contract/music-keys.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as tags from "../../../contract/operations/tags.ts";
import type { Music } from "../../media/music/music.ts";
import { keyName } from "../../media/music/key.ts";
import { topicOf } from "../../events/log.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, markProcessed, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createUploadAnalyzer } from "./analyze-upload.ts";
import { syncFileFacts } from "./entry-rows.ts";
import type { ProcessingResult } from "./processing-results.ts";

it("the analysis and corrections use the same key names", () => {
  const keyNames = Array.from({ length: 12 }, (_, tonic) => [keyName(tonic, "major"), keyName(tonic, "minor")]).flat();
  expect(keyNames.toSorted()).toEqual([...MUSIC_KEYS].toSorted());
});

describe.each(ENGINES)("tag corrections on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  let sequence = 0;
  const uploadFile = () => upload(fixtures.testApp, fixtures.owner, { parent: fixtures.home.folder, name: `song ${++sequence}.wav` });
  const getFileInfo = async (file_id: number) => (await fixtures.testApp.call(fixtures.guest, files.getFileInfo, { body: { file_id } })).response;
  const loadRevision = async (id: number) =>
    (await fixtures.testApp.database.read.selectFrom("files").select("revision").where("id", "=", id).executeTakeFirstOrThrow()).revision;

  it("corrected tags apply wherever they are shown, filtered and sorted, and survive a new analysis", async () => {
    const { testApp, member, guest, home } = fixtures;
    const [file, other] = [await uploadFile(), await uploadFile()];
    for (const id of [file, other]) await markProcessed(testApp, id);
    await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "at half time", attachment_ids: [file] } });
    const correctTags = (body: { bpm?: number | null; key?: "G minor" | null }) => testApp.call(member, tags.correctTags, { params: { file_id: file }, body });
    await correctTags({ bpm: 60.5, key: "G minor" });
    const listIds = async (query: Record<string, string>) =>
      (await testApp.call(guest, view.listFiles, { params: { project_id: home.project }, query: { deep: "true", limit: "500", ...query } })).response.data.map(
        ({ id }) => id,
      );
    const loadAttachedAudio = async () =>
      (await testApp.call(guest, chat.chatHistory, { body: { project_id: home.project } })).response.data
        .flatMap(({ attachments }) => attachments)
        .findLast(({ id }) => id === file)?.audio;
    const loadDisplayedTags = async () => {
      const { file_info: fileInfo, ai_tags } = await getFileInfo(file);
      const { bpm, key } = (await loadAttachedAudio()) ?? {};
      return { info: [fileInfo["bpm"], fileInfo["key"]], corrected: fileInfo["corrected"], chat: [bpm, key], found: [ai_tags.bpm, ai_tags.key] };
    };
    const expected = { info: [60.5, "G minor"], corrected: { bpm: true, key: true }, chat: [60.5, "G minor"], found: [120, ["A minor"]] };
    expect(await loadDisplayedTags()).toEqual(expected);
    expect(await listIds({ key: "G minor" })).toEqual([file]);
    expect(await listIds({ bpm_max: "61" })).toEqual([file]);
    const sortedIds = (await listIds({ sort: "bpm" })).filter((id) => id === file || id === other);
    expect(sortedIds).toEqual([file, other]);
    const facets = (await testApp.call(guest, view.getFileFacets, { params: { project_id: home.project } })).response.data;
    expect([facets.keys.find(({ key }) => key === "G minor")?.count, facets.bpm?.min]).toEqual([1, 60.5]);
    const liveEvents = await testApp.database.read
      .selectFrom("events")
      .select(["type", "data"])
      .where("topic", "=", `project:${home.project}`)
      .orderBy("seq", "desc")
      .limit(2)
      .execute();
    expect(liveEvents.map(({ type, data }) => [type, JSON.parse(data).id])).toEqual([
      ["attachment.updated", file],
      ["file.updated", file],
    ]);
    expect(JSON.parse(liveEvents[1]!.data)).toMatchObject({ bpm: 60.5, key: "G minor" });

    // Stores another analysis result, then uploads a new version.
    const version = await currentVersion(testApp, file);
    await testApp.call(member, tags.regenerateTags, { params: { file_id: file } });
    const newTags = JSON.stringify({ ...JSON.parse(version.tags ?? ""), bpm: 121 });
    await testApp.database.write(async (tx) => {
      await tx.updateTable("file_versions").set({ tags: newTags }).where("id", "=", version.id).execute();
      await syncFileFacts(tx, testApp.engine, version.id);
    });
    expect(await loadDisplayedTags()).toEqual({ ...expected, found: [121, ["A minor"]] });
    await upload(testApp, member, { versionOf: file, bytes: "take two" });
    await markProcessed(testApp, file);
    expect(await loadDisplayedTags()).toEqual(expected);
    const revision = await loadRevision(file);
    await correctTags({ bpm: 60.5 });
    expect(await loadRevision(file)).toBe(revision);
    await correctTags({ bpm: null });
    expect((await loadDisplayedTags()).info).toEqual([120, "G minor"]);
    await correctTags({ key: null });
    expect([await loadDisplayedTags(), await listIds({ key: "G minor" })]).toEqual([
      // The message carries the first version.
      { info: [120, "A minor"], corrected: { bpm: false, key: false }, chat: [121, "A minor"], found: [120, ["A minor"]] },
      [],
    ]);
  });

  it("a key that the analysis is not sure of shows as its candidates, is found by no filter, and gives way to a correction", async () => {
    const { testApp, member, guest, home } = fixtures;
    const [file, noise] = [await uploadFile(), await uploadFile()];
    const { audio } = await analyzeMusic(testApp, file, { name: "", confidence: 0.15 }, 0.1);
    expect(audio).toEqual({ keys: [], keyCandidates: ["A minor", "C major"], bpm: 0, bpmCandidates: [120.5, 60.2] });
    await analyzeMusic(testApp, noise, { name: "", confidence: 0 }, 0);
    await testApp.call(member, chat.sendMessage, { body: { project_id: home.project, body: "unsure", attachment_ids: [file, noise] } });
    const list = (query: Record<string, string> = {}) =>
      testApp.call(guest, view.listFiles, { params: { project_id: home.project }, query: { folder_id: String(home.folder), limit: "500", ...query } });
    const shown = async (id: number) => {
      const { ai_tags, file_info } = await getFileInfo(id);
      const entry = (await list()).response.data.find((candidate) => candidate.id === id)!;
      const attachment = (await testApp.call(guest, chat.chatHistory, { body: { project_id: home.project } })).response.data
        .flatMap(({ attachments }) => attachments)
        .findLast((candidate) => candidate.id === id)!;
      return {
        documented: [ai_tags.bpm, ai_tags.key, file_info["key"]],
        candidates: [ai_tags.bpm_candidates, ai_tags.key_candidates],
        list: [entry.key, entry.unsure_key],
        chat: [attachment.audio?.key, attachment.audio?.unsure_key],
      };
    };
    const unsure = {
      documented: [0, [], null],
      candidates: [
        [120.5, 60.2],
        ["A minor", "C major"],
      ],
      list: [null, "A minor"],
      chat: [null, "A minor"],
    };
    expect(await shown(file)).toEqual(unsure);
    const nothing = { documented: [0, [], null], candidates: [undefined, undefined], list: [null, undefined], chat: [null, undefined] };
    expect(await shown(noise)).toEqual(nothing);
    expect((await list({ key: "A minor" })).response.data.filter(({ id }) => id === file)).toEqual([]);
    await testApp.call(member, tags.correctTags, { params: { file_id: file }, body: { key: "C major" } });
    expect(await shown(file)).toMatchObject({ documented: [0, [], "C major"], list: ["C major", undefined], chat: ["C major", undefined] });
    await testApp.call(member, tags.correctTags, { params: { file_id: file }, body: { key: null } });
    expect(await shown(file)).toEqual(unsure);
    // A later analysis that is sure leaves no candidates.
    await analyzeMusic(testApp, file, { name: "A minor", confidence: 0.9 }, 0.1);
    expect(await shown(file)).toMatchObject({ candidates: [[120.5, 60.2], undefined], list: ["A minor", undefined], chat: ["A minor", undefined] });
  });
});

/** Stores the analysis of a song in A minor or C major, as the media worker does, and returns what it stored. */
async function analyzeMusic(testApp: Fixtures["testApp"], fileId: number, key: { name: string; confidence: number }, tempoConfidence: number) {
  await markProcessed(testApp, fileId);
  const music: Music = {
    tempo: {
      bpm: 0,
      confidence: tempoConfidence,
      candidates: [
        { bpm: 120.5, strength: 1 },
        { bpm: 60.2, strength: 0.7 },
      ],
    },
    key: {
      ...key,
      tuningCents: 0,
      candidates: [
        { name: "A minor", tonic: 9, mode: "minor", strength: 1 },
        { name: "C major", tonic: 0, mode: "major", strength: 0.4 },
        { name: "E minor", tonic: 4, mode: "minor", strength: 0.05 },
      ],
    },
  };
  const results: ProcessingResult[] = [];
  const analyzeUpload = createUploadAnalyzer({
    taggingModel: null,
    sandbox: null,
    analyzeFile: async ({ onStep }) => {
      onStep?.({ step: "music", value: music });
      return { music };
    },
  });
  await analyzeUpload("", "", {
    name: "song.wav",
    completedSteps: [],
    videos: "now",
    outputSpace: { bytes: 0, failure: { text: "", retry: false, aborted: false } },
    signal: new AbortController().signal,
    onResult: (result) => void results.push(result),
    onProgress() {},
  });
  const version = await currentVersion(testApp, fileId);
  const stored = { ...JSON.parse(version.tags ?? "{}"), ...results[0]!.tags };
  await testApp.database.write(async (tx) => {
    await tx
      .updateTable("file_versions")
      .set({ tags: JSON.stringify(stored) })
      .where("id", "=", version.id)
      .execute();
    await syncFileFacts(tx, testApp.engine, version.id);
    const { project_id } = await tx.selectFrom("files").select("project_id").where("id", "=", fileId).executeTakeFirstOrThrow();
    await testApp.app.deps.events.append(tx, topicOf.project(project_id), "metadata.imported", { project_id });
  });
  const { keys, keyCandidates, bpm, bpmCandidates } = stored;
  return { audio: { keys, keyCandidates, bpm, bpmCandidates } };
}
