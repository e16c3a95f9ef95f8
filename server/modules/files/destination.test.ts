/** Tests the destinations of resumable uploads: folders created along the way, and fallbacks if the destination is gone. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, createTusUpload, tusHeaders, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken } from "../../testing/people.ts";
import { sendRawRequest, listen } from "../../testing/raw-socket.ts";

describe.each(ENGINES)("the destination of a resumable upload on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let base: string;
  let member: Caller;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    base = await listen(fixtures.testApp);
    member = await createApiToken(fixtures.testApp, fixtures.member);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const begin = (size: number, metadata: Record<string, string | number>) => createTusUpload(fixtures.testApp, member, size, metadata);
  const call = (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
    sendRawRequest(base, member, {
      method,
      path,
      headers: { "tus-resumable": "1.0.0", ...(body ? { "content-type": "application/offset+octet-stream" } : {}), ...headers },
      ...(body ? { body } : {}),
    });
  const send = (path: string, offset: number, body: Buffer) => call("PATCH", path, { "upload-offset": String(offset) }, body);

  test("is the nearest existing folder if the requested one was deleted meanwhile", async () => {
    const makeFolder = (name: string, parent: number) => createFolder(fixtures.testApp, fixtures.member, parent, name);
    const album = await makeFolder(`Album ${engine}`, fixtures.home.root);
    const parentFolder = await makeFolder("Going", album);
    const deletedFolder = await makeFolder("Gone", parentFolder);
    const [lateUpload, nestedUpload] = [
      await begin(4, { name: "late.wav", parent_id: deletedFolder }),
      await begin(4, { name: "deep.wav", parent_id: deletedFolder, path: "Stems/Drums" }),
    ];
    const original = await upload(fixtures.testApp, fixtures.member, { parent: parentFolder, name: "mix.wav" });
    const versionUpload = await begin(4, { version_of: original });
    await fixtures.testApp.call(fixtures.member, files.deleteFile, { body: { file_id: parentFolder } });
    const finishAndGetInfo = async (path: string) => {
      const { file_id } = (await send(path, 0, Buffer.from("late"))).json as { file_id: number };
      return (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id } })).response.common;
    };
    expect(await finishAndGetInfo(lateUpload)).toMatchObject({ name: "late.wav", parent_id: album, size: 4 });
    // A new version of a deleted file becomes a new file with its name.
    expect(await finishAndGetInfo(versionUpload)).toMatchObject({ name: "mix.wav", parent_id: album, size: 4, version: 1 });
    const { parent_id: drums } = await finishAndGetInfo(nestedUpload);
    const stems = (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: drums as number } })).response.common;
    expect(stems).toMatchObject({ name: "Drums" });
    expect(
      (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: stems["parent_id"] as number } })).response.common,
    ).toMatchObject({
      name: "Stems",
      parent_id: album,
    });
  });
  test("that an earlier version accepted has a name without the invisible characters that this one refuses", async () => {
    const { testApp, member: person, home } = fixtures;
    const path = await begin(4, { name: "before.wav", parent_id: home.root, path: "Before" });
    const destination = { parentId: home.root, name: "mi\u00adx \u200b1.wav", path: ["St\u00adems", "\u00ad", "Drums"] };
    const id = path.split("/").at(-1)!;
    await testApp.database.write((tx) =>
      tx
        .updateTable("uploads")
        .set({ destination: JSON.stringify(destination) })
        .where("id", "=", id)
        .execute(),
    );
    const { status, json } = await send(path, 0, Buffer.from("kept"));
    expect(status).toBe(200);
    const { common } = (await testApp.call(person, files.getFileInfo, { body: { file_id: (json as { file_id: number }).file_id } })).response;
    expect(common).toMatchObject({ name: "mix 1.wav", size: 4 });
    const { data: folders } = (await testApp.call(person, view.listFolders, { params: { project_id: home.project } })).response;
    const names = new Map(folders.map((folder) => [folder.id, folder]));
    const above: string[] = [];
    for (let folder = names.get(common["parent_id"] as number); folder; folder = names.get(folder.parent_id ?? 0)) above.unshift(folder.name);
    expect(above.slice(1)).toEqual(["Stems", "folder", "Drums"]);
  });
  test("includes folders created from its path, which simultaneous uploads share", async () => {
    const root = (await fixtures.testApp.call(fixtures.member, files.createFolder, { body: { parent_id: fixtures.home.root, name: `Folders ${engine}` } }))
      .response.data.id;
    await upload(fixtures.testApp, fixtures.member, { parent: root, name: "Loops" });
    const paths = ["Stems", "Stems/Drums", "stems/DRUMS", "Ste\u0301ms", "Stéms", "Loops", "Loops/CON"];
    const uploadPaths = [];
    for (const [index, path] of paths.entries()) uploadPaths.push(await begin(4, { name: `${index}.wav`, parent_id: root, path }));
    const replies = await Promise.all(uploadPaths.map((uploadPath) => send(uploadPath, 0, Buffer.from("long"))));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const { data } = (
      await fixtures.testApp.call(fixtures.member, view.listFiles, {
        params: { project_id: fixtures.home.project },
        query: { folder_id: String(root), deep: "true" },
      })
    ).response;
    const listedPaths = data.map(({ path, name }) => `${path}/${name}`.normalize("NFC").replaceAll(/stems/gi, "Stems").replaceAll(/drums/gi, "Drums"));
    // A folder next to the file "Loops" gets a numbered name.
    const folders = ["/Stems", "Stems/Drums", "/Stéms", "/Loops", "/Loops (2)", "Loops (2)/CON"];
    const wavs = ["Stems/0.wav", "Stems/Drums/1.wav", "Stems/Drums/2.wav", "Stéms/3.wav", "Stéms/4.wav", "Loops (2)/5.wav", "Loops (2)/CON/6.wav"];
    expect(listedPaths.toSorted()).toEqual([...folders, ...wavs].toSorted());
  });
  test("is never deeper than the limit, even if its folder was moved down meanwhile", async () => {
    const findFileId = async (name: string) =>
      (await fixtures.testApp.database.read.selectFrom("files").select("id").where("name", "=", name).orderBy("id", "desc").executeTakeFirstOrThrow()).id;
    const names = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `Level ${from + at}`).join("/");
    const uploadTo = async (parent_id: number, path: string) => send(await begin(4, { name: "x", parent_id, path }), 0, Buffer.from("deep"));
    await uploadTo(fixtures.home.root, names(1, 40));
    await uploadTo(await findFileId("Level 40"), names(41, 80));
    const bottom = await findFileId("Level 80");
    const rejection = await call("POST", "/api/v2/uploads", tusHeaders(4, { name: "x", parent_id: bottom, path: names(81, 101) }));
    expect([rejection.status, rejection.json.detail]).toEqual([409, "At most 100 levels of folders are allowed."]);
    const uploadPath = await begin(4, { name: "below.wav", parent_id: fixtures.home.folder, path: names(81, 105) });
    await fixtures.testApp.call(fixtures.member, view.moveFiles, { body: { file_ids: [fixtures.home.folder], parent_id: bottom } });
    const { file_id } = (await send(uploadPath, 0, Buffer.from("deep"))).json as { file_id: number };
    const { parent_id } = (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id } })).response.common;
    expect(parent_id).toBe(await findFileId("Level 99"));
  });
  test.each(["../x", "a/../b", "/etc", "a//b", "a/", "a\\b", "..", ".", "a/\u202e/b", "nul\0", `${"d/".repeat(40)}d`, "x".repeat(256)])(
    "cannot have the path %j",
    async (path) => {
      const reply = await call("POST", "/api/v2/uploads", tusHeaders(4, { name: "x", parent_id: fixtures.home.root, path }));
      expect([reply.status, reply.json.detail]).toEqual([400, expect.stringMatching(/path/)]);
    },
  );
});
