/** Tests uploads of real documents through the whole service: they are found by a sentence on their page, by those who see them, while they are current. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as view from "../../../contract/operations/files-view.ts";
import * as operations from "../../../contract/operations/knowledge.ts";
import { search as searchOperation } from "../../../contract/operations/search.ts";
import type { Actor } from "../../access/access.ts";
import { findAnnotationTexts } from "../../db/annotation-texts.ts";
import type { Caller } from "../../testing/client.ts";
import { setPages } from "../../testing/documents.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { storePages } from "../files/document-pages.ts";
import { TEXT_JOB } from "../files/uploads.ts";
import { createApiToken } from "../../testing/people.ts";
import { expectFreshIndexes } from "../../testing/search-entries.ts";

const TIMEOUT_MS = 60_000;
const fixture = (name: string): Buffer => readFileSync(new URL(`../../media/testing/documents/${name}`, import.meta.url));

test("lyrics and notes are found in tags, whatever the language", () => {
  const annotations = { "lyrics-eng": "La la", comment: ["Loud", "Loud"], title: "Song", description: " " };
  expect(findAnnotationTexts(JSON.stringify({ annotations }))).toEqual([
    { source: "lyrics", text: "La la" },
    { source: "notes", text: "Loud" },
  ]);
  expect(findAnnotationTexts(null)).toEqual([]);
});

describe.each(ENGINES)("knowledge base on %s", { timeout: TIMEOUT_MS }, (engine) => {
  let fixtures: Fixtures;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    stop = fixtures.testApp.app.startMedia();
  }, TIMEOUT_MS);
  afterAll(async () => {
    await stop();
    await fixtures.testApp.close();
  });

  const find = async (query: string, caller: Caller = fixtures.member) =>
    (await fixtures.testApp.call(caller, operations.searchKnowledgeBase, { query: { query } })).response.data.map(
      ({ file, page_label }) => `${file.name}, ${page_label}`,
    );
  async function uploadAndRead(input: { name: string; bytes: Buffer | string; versionOf?: number }): Promise<number> {
    const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, ...input });
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await pause(20))
      if (/transcoded|failed/.test((await currentVersion(fixtures.testApp, id)).transcoding_status)) return id;
    throw new Error("The document was not processed");
  }
  const actorOf = async (id: number): Promise<Actor> => {
    const { organisation_id, role } = await fixtures.testApp.database.read.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    return {
      accountId: id,
      organisationId: organisation_id,
      role,
      scopes: null,
      tokenId: null,

      sessionId: null,
      address: null,
      checkedRules: new Set(),
    };
  };
  const pagesOf = async (file_id: number) => (await fixtures.testApp.call(fixtures.member, operations.listFilePages, { params: { file_id } })).response;

  test("the list and the page count characters alike, an emoji as one", async () => {
    const params = { file_id: await uploadAndRead({ name: "emoji.txt", bytes: "🎻 solo" }) };
    const { response: list } = await fixtures.testApp.call(fixtures.member, operations.listFilePages, { params });
    const { response: page } = await fixtures.testApp.call(fixtures.member, operations.getFilePage, { params: { ...params, number: 1 } });
    expect([list.data[0]?.characters, page.data.characters]).toEqual([6, 6]);
  });
  test("a sentence leads to its page in every format, in the global search too", async () => {
    for (const format of ["pdf", "odt", "docx", "rtf"]) await uploadAndRead({ name: `notes.${format}`, bytes: fixture(`libreoffice.${format}`) });
    expect((await find('"violas follow the harmonium as an echo"')).sort()).toEqual([
      "notes.docx, Part 2",
      "notes.odt, Part 2",
      "notes.pdf, Page 2",
      "notes.rtf, Part 2",
    ]);
    expect(await find('"violas harmonium"')).toEqual([]);
    expect(await find("שלום עולם")).toHaveLength(4);
    const query = { q: "efficient office cello", kind: "document" };
    const { groups } = (await fixtures.testApp.call(fixtures.member, searchOperation, { query })).response.data;
    expect(groups[0]?.results.map(({ title, page }) => [title, page])).toContainEqual(["notes.pdf", 1]);
    await expectFreshIndexes(fixtures.testApp.database);
  });

  test("a word that was hyphenated at the end of a line is found in one piece", async () => {
    await uploadAndRead({ name: "brief.pdf", bytes: fixture("pdftex.pdf") });
    expect(await find('"Unfortunately the intermodulation of the upper harmonics"')).toEqual(["brief.pdf, Page 1"]);
    expect(await find("minus fourteen LUFS true peak")).toEqual(["brief.pdf, Page 3"]);
  });

  test("only the current version is found, and nothing of a deleted file until it is restored", async () => {
    const id = await uploadAndRead({ name: "versions.txt", bytes: "The old bagpipe is out of tune." });
    expect(await find("bagpipe")).toEqual(["versions.txt, Part 1"]);
    await uploadAndRead({ name: "versions.txt", bytes: "The new theremin replaces it.", versionOf: id });
    expect([await find("bagpipe"), await find("theremin")]).toEqual([[], ["versions.txt, Part 1"]]);
    const earlier = { params: { file_id: id, number: 1 }, query: { version: "1" } };
    expect((await fixtures.testApp.call(fixtures.member, operations.getFilePage, earlier)).response.data.text).toContain("bagpipe");
    const findIn = async (query: string, version: number) => {
      const { response } = await fixtures.testApp.call(fixtures.member, operations.searchKnowledgeBase, {
        query: { query, file_id: String(id), version: String(version) },
      });
      return response.data.map(({ file, page }) => [file.version, page]);
    };
    expect([await findIn('"old bagp', 1), await findIn('"bagpipe old"', 1), await findIn("old bagpipe theremin", 1)]).toEqual([[[1, 1]], [], []]);
    expect([await findIn("theremin", 2), await findIn("bagpipe", 2)]).toEqual([[[2, 1]], []]);
    await fixtures.testApp.call(fixtures.member, view.deleteFiles, { body: { file_ids: [id] } });
    expect(await find("theremin")).toEqual([]);
    await fixtures.testApp.call(fixtures.member, view.restoreFiles, { body: { file_ids: [id] } });
    expect(await find("theremin")).toEqual(["versions.txt, Part 1"]);
  });

  test("pages of an earlier version are found in their order, with a cursor", async () => {
    const file_id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "long.pdf" });
    await setPages(
      fixtures.testApp,
      file_id,
      Array.from({ length: 120 }, (_, index) => (index % 40 === 39 ? "A kalim\u00ADba here" : "Nothing")),
    );
    await upload(fixtures.testApp, fixtures.member, { name: "long.pdf", versionOf: file_id });
    const pages: number[] = [];
    let cursor: string | undefined;
    do {
      const query = { query: "kalimba", file_id: String(file_id), version: "1", limit: "2", ...(cursor && { cursor }) };
      const { response } = await fixtures.testApp.call(fixtures.member, operations.searchKnowledgeBase, { query });
      pages.push(...response.data.map(({ page }) => page));
      cursor = response.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages).toEqual([40, 80, 120]);
  });

  test("a document from before says that it waits, and is read once its turn has come", async () => {
    const { testApp } = fixtures;
    const id = await uploadAndRead({ name: "before.txt", bytes: "The ondes are out of tune." });
    const { id: versionId, created_by } = await currentVersion(testApp, id);
    await storePages(testApp, versionId, []);
    await testApp.database.write(async (tx) => {
      await tx.deleteFrom("document_texts").where("version_id", "=", versionId).execute();
      await tx
        .updateTable("file_versions")
        .set({ steps_done: JSON.stringify(["probe"]) })
        .where("id", "=", versionId)
        .execute();
    });
    expect((await pagesOf(id)).state).toBe("none");
    const { organisationId } = await actorOf(created_by);
    const job = { kind: TEXT_JOB, subject_id: versionId, organisation_id: organisationId, account_id: created_by };
    const [now, later] = [testApp.clock.now(), testApp.clock.now() + 3_600_000];
    await testApp.database.write((tx) =>
      tx
        .insertInto("jobs")
        .values({ ...job, run_at: later, created_at: now })
        .execute(),
    );
    expect(await pagesOf(id)).toMatchObject({ state: "waiting", data: [] });
    expect(await find("ondes")).toEqual([]);
    await testApp.database.write((tx) => tx.updateTable("jobs").set({ run_at: now }).where("kind", "=", TEXT_JOB).execute());
    await expect.poll(async () => (await pagesOf(id)).state, { timeout: TIMEOUT_MS / 2 }).toBe("indexed");
    expect(await find("ondes")).toEqual(["before.txt, Part 1"]);
    const { data } = await testApp.database.read
      .selectFrom("events")
      .select("data")
      .where("type", "=", "file.updated")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(data)).toMatchObject({ id });
  });

  test("a token that must not read files finds and reads nothing of them", async () => {
    const { testApp, member } = fixtures;
    const file_id = await uploadAndRead({ name: "scopes.txt", bytes: "The crumhorn is out of tune." });
    const chatOnly = await createApiToken(testApp, member, ["account:read", "chat:read"]);
    const filesToo = await createApiToken(testApp, member, ["account:read", "files:read"]);
    const statuses = async (token: Caller) => [
      (await testApp.call(token, operations.searchKnowledgeBase, { query: { query: "crumhorn" } })).status,
      (await testApp.call(token, operations.listFilePages, { params: { file_id } })).status,
      (await testApp.call(token, operations.getFilePage, { params: { file_id, number: 1 } })).status,
      (await testApp.call(token, searchOperation, { query: { q: "crumhorn", kind: "document" } })).status,
    ];
    const kinds = async (token: Caller) =>
      (await testApp.call(token, searchOperation, { query: { q: "crumhorn" } })).response.data.groups.map(({ kind }) => kind);
    expect([await statuses(chatOnly), await kinds(chatOnly)]).toEqual([[403, 403, 403, 403], []]);
    expect([await statuses(filesToo), await kinds(filesToo)]).toEqual([[200, 200, 200, 200], ["document"]]);
  });

  test("others do not find it", async () => {
    await uploadAndRead({ name: "secret.txt", bytes: "The zither is a secret." });
    expect([await find("zither"), await find("zither", fixtures.foreignOwner)]).toEqual([["secret.txt, Part 1"], []]);
  });

  test("a document that cannot be read says why, and its upload does not fail", async () => {
    for (const [name, bytes, state] of [
      ["locked.pdf", fixture("encrypted.pdf"), "encrypted"],
      ["cut.docx", fixture("libreoffice.docx").subarray(0, 3_000), "failed"],
      ["picture.zip", Buffer.from("PK\x05\x06".padEnd(22, "\0")), "none"],
    ] as const) {
      const id = await uploadAndRead({ name, bytes });
      expect((await currentVersion(fixtures.testApp, id)).transcoding_status).toBe("transcoded");
      expect(await pagesOf(id)).toMatchObject({ state, data: [], reason: state === "none" ? "" : expect.stringMatching(/\.$/) });
    }
  });

  test("a question finds the page that says most about it", async () => {
    await setPages(fixtures.testApp, fixtures.home.file, [
      "The deadline of the trailer is Friday.",
      "The trailer has two songs.",
      "Friday is the day of rest.",
    ]);
    const passages = await fixtures.testApp.app.services.knowledge.findPassages(
      await actorOf(fixtures.member.id),
      "What is the deadline for the trailer?",
      fixtures.home.project,
      2,
    );
    expect(passages.map(({ pageLabel }) => pageLabel)).toEqual(["Page 1", "Page 2"]);
  });
});
