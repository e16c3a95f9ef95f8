/** Tests the default status of a team, with which its new uploads start. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as statuses from "../../../contract/operations/statuses.ts";
import * as teams from "../../../contract/operations/teams.ts";
import type { FileStatus } from "../../../contract/records.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createTusUpload, EXTERNAL_FILE_URL, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken } from "../../testing/people.ts";
import { listen, sendRawRequest } from "../../testing/raw-socket.ts";

describe.each(ENGINES)("the default status on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let base: string;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    base = await listen(fixtures.testApp);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  let sequence = 0;
  const uploadFile = () => upload(fixtures.testApp, fixtures.owner, { parent: fixtures.home.folder, name: `upload ${++sequence}.wav` });
  const listStatuses = async () => (await fixtures.testApp.call(fixtures.owner, teams.listFileStatuses, { body: { team_id: fixtures.home.team } })).response;
  const createStatus = async (): Promise<FileStatus> =>
    (
      await fixtures.testApp.call(fixtures.admin, statuses.createFileStatus, {
        params: { team_id: fixtures.home.team },
        body: { title: `Status ${++sequence}`, color: 2 },
      })
    ).response.data;
  const deleteStatus = (id: number, replacement: number) =>
    fixtures.testApp.call(fixtures.admin, statuses.deleteFileStatus, {
      params: { status_id: id },
      query: { replacement_id: String(replacement) },
    });
  const getFileInfo = async (file_id: number) => (await fixtures.testApp.call(fixtures.guest, files.getFileInfo, { body: { file_id } })).response;
  const loadStatusHistory = async (file_id: number) =>
    (await fixtures.testApp.call(fixtures.guest, files.listStatusChanges, { params: { file_id } })).response.data;
  const loadStatusEvents = async (file: number) =>
    (await fixtures.testApp.database.read.selectFrom("outbound_events").selectAll().where("type", "=", "file.status_changed").execute())
      .map(({ data }) => JSON.parse(data) as { id: number; old_status: FileStatus; new_status: FileStatus })
      .filter(({ id }) => id === file);

  it("files start with the default status however they are uploaded, but folders do not", async () => {
    const { testApp, member, owner, home } = fixtures;
    const { id, title } = await createStatus();
    await testApp.call(fixtures.admin, statuses.setDefaultFileStatus, { params: { team_id: home.team }, body: { status_id: id } });
    const by = await createApiToken(testApp, member);
    const resumable = async (metadata: Record<string, string | number>) => {
      const path = await createTusUpload(testApp, by, 3, metadata);
      const headers = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream", "upload-offset": "0" };
      await sendRawRequest(base, by, { method: "PATCH", path, headers, body: Buffer.from("abc") });
      return (await testApp.call(by, files.getUpload, { params: { upload_id: path.split("/").at(-1)! } })).response.data.file_id!;
    };
    const external = (await testApp.call(member, files.uploadExternal, { body: { url: EXTERNAL_FILE_URL, parent_id: home.folder } })).response.file_id;
    const inFolder = await resumable({ name: "deep.wav", parent_id: home.folder, path: `New ${sequence}/Below` });
    const fileIds = [await uploadFile(), await resumable({ name: "chat.wav", project_id: home.project }), external, inFolder];
    for (const file of fileIds) {
      expect((await getFileInfo(file)).common.status?.title).toBe(title);
      expect([await loadStatusEvents(file), await loadStatusHistory(file)]).toEqual([[], []]);
    }
    const uploaded = await testApp.database.read.selectFrom("outbound_events").select("data").where("type", "=", "file.uploaded").execute();
    expect(uploaded.map(({ data }) => JSON.parse(data)).find((data) => data.id === external).status.title).toBe(title);
    const fileRow = await testApp.database.read
      .selectFrom("files")
      .select(["id", "status_id", "parent_id"])
      .where("id", "=", inFolder)
      .executeTakeFirstOrThrow();
    const folder = await testApp.database.read.selectFrom("files").select("status_id").where("id", "=", fileRow.parent_id!).executeTakeFirstOrThrow();
    expect(folder.status_id).toBeNull();
    const approved = (await listStatuses()).data.find((status) => status.title === "Approved")!;
    // Another team of the organization has its own default.
    expect(
      (await testApp.call(owner, files.getFileInfo, { body: { file_id: await upload(testApp, owner, { parent: fixtures.apart.folder }) } })).response.common
        .status,
    ).toBeNull();
    expect((await deleteStatus(id, approved.id)).response.default_status_id).toBe(approved.id);
    await testApp.call(fixtures.admin, statuses.setDefaultFileStatus, { params: { team_id: home.team }, body: { status_id: null } });
  });
});
