/** Where resumable uploads end: in folders that are made with them, and never nowhere. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { beginUpload, tusHeaders, upload } from "../../testing/files.ts";
import { tokenOf } from "../../testing/people.ts";
import { ask, listen } from "../../testing/wire.ts";

describe.each(ENGINES)("a resumable upload ends on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  let base: string;
  let member: Caller;
  beforeAll(async () => {
    cast = await startCast(engine);
    base = await listen(cast.world);
    member = await tokenOf(cast.world, cast.member);
  }, 60_000);
  afterAll(() => cast.world.close());

  const begin = (size: number, metadata: Record<string, string | number>) => beginUpload(cast.world, member, size, metadata);
  const call = (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
    ask(base, member, {
      method,
      path,
      headers: { "tus-resumable": "1.0.0", ...(body ? { "content-type": "application/offset+octet-stream" } : {}), ...headers },
      ...(body ? { body } : {}),
    });
  const send = (path: string, offset: number, body: Buffer) => call("PATCH", path, { "upload-offset": String(offset) }, body);

  test("in the nearest folder that is there, where the place has gone meanwhile", async () => {
    const make = async (name: string, parent_id: number) =>
      (await cast.world.call(cast.member, files.makeFolder, { body: { parent_id, name } })).answer.data.id;
    const album = await make(`Album ${engine}`, cast.home.root);
    const going = await make("Going", album);
    const gone = await make("Gone", going);
    const [late, deeper] = [await begin(4, { name: "late.wav", parent_id: gone }), await begin(4, { name: "deep.wav", parent_id: gone, path: "Stems/Drums" })];
    const original = await upload(cast.world, cast.member, { parent: going, name: "mix.wav" });
    const version = await begin(4, { version_of: original });
    await cast.world.call(cast.member, files.deleteFile, { body: { file_id: going } });
    const placeOf = async (path: string) => {
      const { file_id } = (await send(path, 0, Buffer.from("late"))).json as { file_id: number };
      return (await cast.world.call(cast.member, files.getFileInfo, { body: { file_id } })).answer.common;
    };
    expect(await placeOf(late)).toMatchObject({ name: "late.wav", parent_id: album, size: 4 });
    // A new version of what is gone becomes a file of its name.
    expect(await placeOf(version)).toMatchObject({ name: "mix.wav", parent_id: album, size: 4, version: 1 });
    const { parent_id: drums } = await placeOf(deeper);
    const stems = (await cast.world.call(cast.member, files.getFileInfo, { body: { file_id: drums as number } })).answer.common;
    expect(stems).toMatchObject({ name: "Drums" });
    expect((await cast.world.call(cast.member, files.getFileInfo, { body: { file_id: stems["parent_id"] as number } })).answer.common).toMatchObject({
      name: "Stems",
      parent_id: album,
    });
  });
  test("with a path, in folders that are made with it; those who need the same one share it", async () => {
    const root = (await cast.world.call(cast.member, files.makeFolder, { body: { parent_id: cast.home.root, name: `Folders ${engine}` } })).answer.data.id;
    await upload(cast.world, cast.member, { parent: root, name: "Loops" });
    const paths = ["Stems", "Stems/Drums", "stems/DRUMS", "Ste\u0301ms", "Stéms", "Loops", "Loops/CON"];
    const begun = [];
    for (const [index, path] of paths.entries()) begun.push(await begin(4, { name: `${index}.wav`, parent_id: root, path }));
    const made = await Promise.all(begun.map((one) => send(one, 0, Buffer.from("long"))));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
    const { data } = (
      await cast.world.call(cast.member, view.listFiles, { params: { project_id: cast.home.project }, query: { folder_id: String(root), deep: "true" } })
    ).answer;
    const shown = data.map(({ path, name }) => `${path}/${name}`.normalize("NFC").replaceAll(/stems/gi, "Stems").replaceAll(/drums/gi, "Drums"));
    // A folder beside the file "Loops" gets a number.
    const folders = ["/Stems", "Stems/Drums", "/Stéms", "/Loops", "/Loops (2)", "Loops (2)/CON"];
    const wavs = ["Stems/0.wav", "Stems/Drums/1.wav", "Stems/Drums/2.wav", "Stéms/3.wav", "Stéms/4.wav", "Loops (2)/5.wav", "Loops (2)/CON/6.wav"];
    expect(shown.toSorted()).toEqual([...folders, ...wavs].toSorted());
  });
  test("not deeper than folders may lie in each other; where its folder was moved down meanwhile, as deep as they may", async () => {
    const idOf = async (name: string) =>
      (await cast.world.database.read.selectFrom("files").select("id").where("name", "=", name).orderBy("id", "desc").executeTakeFirstOrThrow()).id;
    const names = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `Level ${from + at}`).join("/");
    const put = async (parent_id: number, path: string) => send(await begin(4, { name: "x", parent_id, path }), 0, Buffer.from("deep"));
    await put(cast.home.root, names(1, 40));
    await put(await idOf("Level 40"), names(41, 80));
    const bottom = await idOf("Level 80");
    const refused = await call("POST", "/api/v2/uploads", tusHeaders(4, { name: "x", parent_id: bottom, path: names(81, 101) }));
    expect([refused.status, refused.json.detail]).toEqual([409, "At most 100 folders can lie in each other."]);
    const begun = await begin(4, { name: "below.wav", parent_id: cast.home.folder, path: names(81, 105) });
    await cast.world.call(cast.member, view.moveFiles, { body: { file_ids: [cast.home.folder], parent_id: bottom } });
    const { file_id } = (await send(begun, 0, Buffer.from("deep"))).json as { file_id: number };
    const { parent_id } = (await cast.world.call(cast.member, files.getFileInfo, { body: { file_id } })).answer.common;
    expect(parent_id).toBe(await idOf("Level 99"));
  });
  test.each(["../x", "a/../b", "/etc", "a//b", "a/", "a\\b", "..", ".", "a/\u202e/b", "nul\0", `${"d/".repeat(40)}d`, "x".repeat(256)])(
    "not with the path %j",
    async (path) => {
      const reply = await call("POST", "/api/v2/uploads", tusHeaders(4, { name: "x", parent_id: cast.home.root, path }));
      expect([reply.status, reply.json.detail]).toEqual([400, expect.stringMatching(/path/)]);
    },
  );
});
