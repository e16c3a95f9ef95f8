/** Tests import-chat: imported messages, reported problems, and repeated runs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatHistory, getReadMarker, sendMessage } from "../../contract/operations/chat.ts";
import { deleteMessage, searchMessages } from "../../contract/operations/messages.ts";
import { createModules } from "../create-modules.ts";
import { ENGINES } from "../testing/engines.ts";
import { createFixtures, createMessage, type Fixtures } from "../testing/fixtures.ts";
import { UsageError } from "./command.ts";
import { importChat, type ImportChatInput } from "./import-chat.ts";

type ImportService = Parameters<typeof importChat>[0];
const DAY = "2021-05-04T10:00:00.000Z";

describe.each(ENGINES)("import-chat on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  const folder = mkdtempSync(join(tmpdir(), "talkback-import-"));
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(async () => {
    await fixtures.testApp.close();
    rmSync(folder, { recursive: true });
  });

  const run = (records: readonly unknown[], input: Partial<ImportChatInput> = {}, service = fixtures.testApp.app.services.chatImport) => {
    const file = join(folder, "chat.jsonl");
    writeFileSync(file, records.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry))).join("\n"));
    return importChat(service, { projectId: fixtures.apart.project, file, fallback: null, dryRun: false, progress: () => {}, ...input });
  };
  const record = (id: number | string, overrides: object = {}) => ({
    id,
    account_email: fixtures.owner.email,
    body: `message ${id}`,
    datetime: DAY,
    ...overrides,
  });
  const history = async (project = fixtures.apart.project) =>
    (await fixtures.testApp.call(fixtures.owner, chatHistory, { body: { project_id: project, limit: 200 } })).response.data;
  const importError = async (records: readonly unknown[], input: Partial<ImportChatInput> = {}) => {
    const error: unknown = await run(records, input).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  };

  it("imports text, times, authors and replies, makes them searchable, and imports nothing the second time", async () => {
    const records = [
      record(7, { body: "Łódź bass", datetime: "2021-05-04T12:00:00+02:00" }),
      record("x-8", { account_email: undefined, username: "ADMIN", parent_message_id: 7, edited_at: "2021-05-05T10:00:00Z" }),
      "",
      record(9, { account_email: undefined, account_id: fixtures.owner.id, parent_message_id: 4_711 }),
      record(10, { body: " ", attachments: [{ id: 1 }, { id: 2 }] }),
      record(11, { deleted: true }),
    ];
    const before = await history();
    expect((await run(records)).slice(1)).toEqual([
      "  1 are deleted and were skipped",
      "  1 have no text and were skipped",
      "  1 reply to a message that does not precede them, and were imported as normal messages",
      "  2 attachments were skipped: the records contain no files",
    ]);
    const [first, second, third, ...rest] = (await history()).slice(before.length);
    expect(rest).toEqual([]);
    expect(first).toMatchObject({ body: "Łódź bass", datetime: DAY, account_id: fixtures.owner.id, edited: false });
    expect(second).toMatchObject({ account_id: fixtures.admin.id, parent_message_id: first?.id, parent_account_id: fixtures.owner.id, edited: true });
    expect(third).toMatchObject({ account_id: fixtures.owner.id, parent_message_id: null });
    const searchResult = await fixtures.testApp.call(fixtures.owner, searchMessages, { params: { project_id: fixtures.apart.project }, query: { q: "lodz" } });
    expect(searchResult.response.data.map(({ id }) => id)).toEqual([first?.id]);

    const [rerunSummary] = await run([...records, record(12, { parent_message_id: "x-8" })]);
    expect(rerunSummary).toMatch(/^Imported: 1 messages/);
    expect((await history()).slice(before.length + 3)).toMatchObject([{ body: "message 12", parent_message_id: second?.id }]);
    // New messages follow the imported ones.
    expect(await createMessage(fixtures.testApp, fixtures.owner, fixtures.apart.project, "and on")).toBeGreaterThan((await history()).at(-2)?.id ?? 0);
  });
  it("adds no unread messages for members who had read everything, and publishes one event for any number of records", async () => {
    const { testApp, member, owner, guest, home } = fixtures;
    const unreadCount = async (by: typeof member) =>
      (await testApp.call(by, getReadMarker, { params: { project_id: home.project } })).response.data.unread_count;
    // Member and guest joined after the welcome message. Both get one unread message, which only the member reads below.
    await createMessage(testApp, owner, home.project, "unread by both");
    const events = () => testApp.database.read.selectFrom("events").select("type").where("topic", "=", `project:${home.project}`).execute();
    const records = Array.from({ length: 2_500 }, (_, index) => record(`many-${index}`, { parent_message_id: index > 0 ? `many-${index - 1}` : null }));
    // A reader who has read everything except a deleted message counts as up to date.
    const newest = await createMessage(testApp, owner, home.project, "a slip");
    await testApp.database.write((tx) =>
      tx
        .updateTable("read_markers")
        .set({ last_read_message_id: newest - 1 })
        .where("account_id", "=", member.id)
        .where("project_id", "=", home.project)
        .execute(),
    );
    await testApp.call(owner, deleteMessage, { params: { project_id: home.project, message_id: newest } });
    const before = (await events()).length;
    await run(records, { projectId: home.project });
    expect((await events()).slice(before).map(({ type }) => type)).toEqual(["messages.imported"]);
    expect([await unreadCount(member), await unreadCount(guest)]).toEqual([0, 100]);
    const last = (await history(home.project)).at(-1);
    expect(last).toMatchObject({ body: "message many-2499", parent: { excerpt: "message many-2498" } });
  });
  it.each([
    ["{", "Line 2: is not JSON."],
    ["[]", "Line 2: is not a JSON object."],
    [{ id: 0 }, "Line 2: id must be a positive integer"],
    [{ id: "a\nb" }, "Line 2: id must be"],
    [{ body: 7 }, "Line 2: body must be a string."],
    [{ body: "a\0b" }, "Line 2: body must not contain NUL characters."],
    [{ body: "x".repeat(10_001) }, "Line 2: body must have at most 10,000 characters"],
    [{ datetime: "yesterday" }, "Line 2: datetime must be a timestamp"],
    [{ datetime: "2021-13-01T00:00:00Z" }, "Line 2: datetime must be a timestamp"],
    [{ parent_message_id: {} }, "Line 2: parent_message_id must be an id."],
    [{ id: "good" }, "Line 2: id good appears twice in the file."],
    [{ account_email: "who@x.example" }, "Line 2: no member of the organization matches who@x.example; set --author."],
    [{ account_email: undefined, account_id: 999_999 }, "Line 2: no member of the organization matches account 999999;"],
  ])("reports an invalid line with its number: %j", async (invalid, expectedMessage) => {
    const before = (await history()).length;
    const lines = [record("good"), typeof invalid === "string" ? invalid : record("bad", invalid), record("after")];
    expect(await importError(lines, { dryRun: true })).toContain(expectedMessage);
    expect((await history()).length).toBe(before);
  });
  const importEventCount = async () =>
    (
      await fixtures.testApp.database.read
        .selectFrom("events")
        .select("seq")
        .where("topic", "=", `project:${fixtures.apart.project}`)
        .where("type", "=", "messages.imported")
        .execute()
    ).length;
  it("stops at an invalid line, publishes the messages imported before it, and continues once the line is corrected", async () => {
    const before = await importEventCount();
    const message = await importError([record("s1"), record("s2", { datetime: "never" }), record("s3")]);
    expect(message).toContain("1 messages before it were imported");
    expect(await importEventCount()).toBe(before + 1);
    expect((await run([record("s1"), record("s2"), record("s3")]))[0]).toMatch(/^Imported: 2 messages/);
    expect(await importEventCount()).toBe(before + 2);
    // This import writes nothing.
    await importError(["{"]);
    expect(await importEventCount()).toBe(before + 2);
  });
  it("stops with the error of a batch that cannot be written, and publishes the batches before it", async () => {
    const service = fixtures.testApp.app.services.chatImport;
    const before = await importEventCount();
    let batches = 0;
    const failingService: ImportService = {
      ...service,
      writeBatch: (...args) => (++batches === 2 ? Promise.reject(new Error("disk full")) : service.writeBatch(...args)),
    };
    const records = Array.from({ length: 1_500 }, (_, index) => record(`full-${index}`));
    await expect(run(records, {}, failingService)).rejects.toThrow("disk full");
    expect(await importEventCount()).toBe(before + 1);
    // If publishing fails too, the original error is still the one thrown.
    batches = 0;
    const brokenService: ImportService = { ...failingService, finish: () => Promise.reject(new Error("cannot tell")) };
    const moreRecords = Array.from({ length: 1_000 }, (_, index) => record(`more-${index}`));
    await expect(run([...records, ...moreRecords], {}, brokenService)).rejects.toThrow("disk full");
    expect(await importEventCount()).toBe(before + 1);
  });
  it("publishes the messages of a killed run on the next run, even if that run writes nothing", async () => {
    const service = fixtures.testApp.app.services.chatImport;
    const before = await importEventCount();
    await expect(run([record("k1")], {}, { ...service, finish: () => Promise.reject(new Error("killed")) })).rejects.toThrow("killed");
    expect(await importEventCount()).toBe(before);
    expect((await run([record("k1")]))[0]).toMatch(/^Imported: 0 messages/);
    expect(await importEventCount()).toBe(before + 1);
  });
  it("can be stopped between two batches, and publishes what was imported so far", async () => {
    const service = fixtures.testApp.app.services.chatImport;
    const before = await importEventCount();
    const controller = new AbortController();
    const stoppingService: ImportService = {
      ...service,
      writeBatch: (...args) => {
        controller.abort();
        return service.writeBatch(...args);
      },
    };
    const records = Array.from({ length: 2_500 }, (_, index) => record(`stop-${index}`));
    await expect(run(records, { signal: controller.signal }, stoppingService)).rejects.toThrow("Stopped. 1,000 messages were imported");
    expect(await importEventCount()).toBe(before + 1);
    expect((await run(records)).slice(0, 2)).toEqual([expect.stringMatching(/^Imported: 1,500 messages/), "  1,000 were already imported"]);
  });
  it("a dry run reports all invalid lines and writes nothing", async () => {
    const before = (await history()).length;
    const message = await importError([record("d1", { body: 1 }), record("d2"), record("d3", { body: 2 })], { dryRun: true });
    expect(message).toBe("Line 1: body must be a string.\nLine 3: body must be a string.\nNothing was written.");
    expect((await run([record("d1"), record("d2")], { dryRun: true }))[0]).toMatch(/^To import: 2 messages/);
    expect((await history()).length).toBe(before);
  });
  it("--author is used for unknown authors and must belong to the organization", async () => {
    const fallback = { id: fixtures.admin.id, organisation_id: 1 };
    const lines = await run([record("f1", { account_email: "gone@x.example", account_id: fixtures.owner.id })], { fallback });
    expect(lines[1]).toContain("1 have no matching member");
    expect((await history()).at(-1)).toMatchObject({ account_id: fixtures.admin.id });
    expect(await importError([], { fallback: { id: fixtures.foreignOwner.id, organisation_id: 2 } })).toContain("--author");
    expect(await importError([record("f2", { account_email: fixtures.foreignOwner.email })])).toContain("no member of the organization");
  });
  it("the API rejects client ids that are reserved for imported records", async () => {
    const { testApp, owner, apart } = fixtures;
    const send = async (client_id: string) =>
      (await testApp.callUntyped(owner, sendMessage, { body: { project_id: apart.project, body: "was here before", client_id } })).status;
    // Clients may use the former prefix `import:`. The current prefix `import/` is reserved.
    expect(await send("import:taken-1")).toBe(200);
    expect(await send("import/taken-1")).toBe(400);
    expect((await run([record("taken-1")]))[0]).toMatch(/^Imported: 1 messages/);
  });
  /** Runs with services on their own database connection, as a separate process would. */
  async function withSecondService<T>(work: (service: ImportService) => Promise<T>): Promise<T> {
    const { testDatabase: data, clock, config, masterKey } = fixtures.testApp;
    const database = data.open();
    try {
      return await work(createModules({ database, clock, config, masterKey }).services.chatImport);
    } finally {
      await database.close();
    }
  }
  const bodies = async (like: string) =>
    (
      await fixtures.testApp.database.read
        .selectFrom("messages")
        .select(["body", "account_id"])
        .where("project_id", "=", fixtures.apart.project)
        .where("body", "like", like)
        .orderBy("id")
        .execute()
    ).map(({ body }) => body);

  it("two simultaneous imports with different authors write every record once, in the order of the file", async () => {
    const records = Array.from({ length: 5_200 }, (_, index) => record(`twin ${index}`, { account_email: "gone@x.example", parent_message_id: "twin 0" }));
    const [owner, admin] = [fixtures.owner.id, fixtures.admin.id].map((id) => ({ id, organisation_id: 1 }));
    const before = await importEventCount();
    const [first, second] = await Promise.all([
      run(records, { fallback: owner! }),
      withSecondService((service) => run(records, { fallback: admin! }, service)),
    ]);
    expect(await bodies("message twin %")).toEqual(records.map(({ body }) => body));
    const written = [first, second].map(([line = ""]) => Number(/: ([\d,]+) /.exec(line)?.[1]?.replace(",", "")));
    expect((written[0] ?? 0) + (written[1] ?? 0)).toBe(5_200);
    expect(await importEventCount()).toBe(before + 2);
    // Parents are found no matter which import wrote them.
    const parents = await fixtures.testApp.database.read
      .selectFrom("messages")
      .select("parent_id")
      .distinct()
      .where("client_id", "like", "import/twin %")
      .execute();
    expect(parents.filter(({ parent_id }) => parent_id !== null)).toHaveLength(1);
  });
  it("a message sent during an import waits for at most two batches", async () => {
    const { testApp, owner, apart } = fixtures;
    const records = Array.from({ length: 8_000 }, (_, index) => record(`long ${index}`, { body: `${index} ${"kick snare vocal mix ".repeat(10)}` }));
    let batches = 0;
    let done = false;
    const waitedBatches: number[] = [];
    await withSecondService(async (service) => {
      const countingService: ImportService = { ...service, writeBatch: (...args) => service.writeBatch(...args).finally(() => (batches += 1)) };
      const importing = run(records, {}, countingService).finally(() => (done = true));
      while (!done) {
        const batchesBefore = batches;
        await createMessage(testApp, owner, apart.project, `beside ${batchesBefore}`);
        if (!done) waitedBatches.push(batches - batchesBefore);
      }
      await importing;
    });
    expect(batches).toBe(8);
    expect(waitedBatches.length).toBeGreaterThan(4);
    expect(Math.max(...waitedBatches)).toBeLessThanOrEqual(2);
  });
  it("reports a missing file", async () => {
    expect(await importError([], { file: join(folder, "absent") })).toContain("cannot be read");
  });
});
