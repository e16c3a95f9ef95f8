/** Tests manual corrections of tempo and key: where they show, and what resets them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MUSIC_KEYS } from "../../../contract/music-keys.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as tags from "../../../contract/operations/tags.ts";
import { keyName } from "../../media/music/key.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, markProcessed, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { syncFileFacts } from "./entry-rows.ts";

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
      await syncFileFacts(tx, version.id);
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
});
