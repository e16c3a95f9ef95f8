/** Tests that folders have the date of the newest thing in them, whatever happens to it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as view from "../../../contract/operations/files-view.ts";
import { search } from "../../../contract/operations/search.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

const MINUTE_MS = 60_000;

describe.each(ENGINES)("dates of folders on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let start = 0;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    start = fixtures.testApp.clock.now();
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const member = () => fixtures.member;
  /** Each change happens a minute after the one before. Returns its result. */
  async function next<T>(change: () => Promise<T>): Promise<T> {
    fixtures.testApp.clock.advance(MINUTE_MS);
    return change();
  }
  const minutes = () => Math.round((fixtures.testApp.clock.now() - start) / MINUTE_MS);
  const folder = (parent: number, name: string) => next(() => createFolder(fixtures.testApp, member(), parent, name));
  const file = (parent: number, name: string) => next(() => upload(fixtures.testApp, member(), { parent, name, bytes: name }));
  const remove = (...file_ids: number[]) => next(() => fixtures.testApp.call(member(), view.deleteFiles, { body: { file_ids } }));
  const restore = (...file_ids: number[]) => next(() => fixtures.testApp.call(member(), view.restoreFiles, { body: { file_ids } }));
  const move = (file_ids: number[], parent_id: number) => next(() => fixtures.testApp.call(member(), view.moveFiles, { body: { file_ids, parent_id } }));
  /** Returns the minutes at which the folders changed, as their list says. */
  async function dates(...ids: number[]): Promise<number[]> {
    const { response } = await fixtures.testApp.call(member(), view.listFolders, { params: { project_id: fixtures.home.project } });
    return ids.map((id) => Math.round((Date.parse(response.data.find((entry) => entry.id === id)?.changed_at ?? "") - start) / MINUTE_MS));
  }

  test("uploads, versions and new folders count at any depth; moves, deletions and restores take their dates along", async () => {
    const { root } = fixtures.home;
    const [mixes, stems] = [await folder(root, "Dated mixes"), await folder(root, "Dated stems")];
    const created = await dates(mixes, stems);
    const deep = await folder(mixes, "Deep");
    expect(await dates(root, mixes, stems, deep)).toEqual([minutes(), minutes(), created[1], minutes()]);
    const old = await file(deep, "old.wav");
    const atOld = minutes();
    const newer = await file(deep, "newer.wav");
    const atNewer = minutes();
    expect(await dates(root, mixes, deep, stems)).toEqual([atNewer, atNewer, atNewer, created[1]]);
    // The newest thing leaves, and its date with it.
    await move([newer], stems);
    expect(await dates(root, mixes, deep, stems)).toEqual([atNewer, atOld, atOld, atNewer]);
    await remove(newer);
    expect(await dates(root, mixes, deep, stems)).toEqual([atOld, atOld, atOld, created[1]]);
    await restore(newer);
    expect(await dates(root, mixes, deep, stems)).toEqual([atNewer, atOld, atOld, atNewer]);
    // A folder is moved, deleted and restored with what is in it.
    await move([deep], stems);
    expect(await dates(mixes, stems, deep)).toEqual([created[0], atNewer, atOld]);
    await remove(newer);
    await remove(deep);
    expect(await dates(stems)).toEqual([created[1]]);
    await restore(deep, newer);
    expect(await dates(stems, deep, root)).toEqual([atNewer, atOld, atNewer]);
    // A file that was deleted before its folder comes back above it.
    await remove(old);
    await remove(stems);
    await restore(old);
    expect(await dates(root, mixes)).toEqual([atOld, created[0]]);
    await restore(stems);
    await next(() => upload(fixtures.testApp, member(), { versionOf: newer, bytes: "second" }));
    expect(await dates(root, stems, mixes)).toEqual([minutes(), minutes(), created[0]]);
  });

  test("listings and searches use the dates", async () => {
    const { root, project } = fixtures.home;
    const [first, second] = [await folder(root, "Listed first"), await folder(root, "Listed second")];
    const list = async () =>
      (
        await fixtures.testApp.call(member(), view.listFiles, {
          params: { project_id: project },
          query: { q: "Listed", kind: "folder", deep: "true", sort: "changed", order: "desc" },
        })
      ).response.data.map(({ id }) => id);
    expect(await list()).toEqual([second, first]);
    const before = new Date(fixtures.testApp.clock.now() + 1).toISOString();
    await file(first, "newest.wav");
    expect(await list()).toEqual([first, second]);
    const { response } = await fixtures.testApp.call(member(), search, { query: { q: "Listed", kind: "file", since: before } });
    expect(response.data.groups.flatMap(({ results }) => results.map(({ id }) => id))).toEqual([first]);
  });
});
