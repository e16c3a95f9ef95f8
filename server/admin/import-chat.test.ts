/** import-chat: what comes in, what is told, and that it may be run again. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chatHistory, getReadMarker, sendMessage } from "../../contract/operations/chat.ts";
import { searchMessages } from "../../contract/operations/messages.ts";
import { startCast, writeMessage, type Cast } from "../testing/cast.ts";
import { ENGINES } from "../testing/engines.ts";
import { importChat, type ImportWish } from "./import-chat.ts";
import { UsageError } from "./usage-error.ts";

const DAY = "2021-05-04T10:00:00.000Z";

describe.each(ENGINES)("import-chat on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  const folder = mkdtempSync(join(tmpdir(), "talkback-import-"));
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(async () => {
    await cast.world.close();
    rmSync(folder, { recursive: true });
  });

  const run = (records: readonly unknown[], wish: Partial<ImportWish> = {}, service = cast.world.app.services.chatImport) => {
    const file = join(folder, "chat.jsonl");
    writeFileSync(file, records.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n"));
    return importChat(service, { projectId: cast.apart.project, file, fallback: null, dryRun: false, progress: () => {}, ...wish });
  };
  const record = (id: number | string, more: object = {}) => ({ id, account_email: cast.owner.email, body: `message ${id}`, datetime: DAY, ...more });
  const history = async (project = cast.apart.project) =>
    (await cast.world.call(cast.owner, chatHistory, { body: { project_id: project, limit: 200 } })).answer.data;
  const failure = async (records: readonly unknown[], wish: Partial<ImportWish> = {}) => {
    const error: unknown = await run(records, wish).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  };

  it("keeps texts, times, authors and replies; finds them; and does nothing the second time", async () => {
    const records = [
      record(7, { body: "Łódź bass", datetime: "2021-05-04T12:00:00+02:00" }),
      record("x-8", { account_email: undefined, username: "ADMIN", parent_message_id: 7, edited_at: "2021-05-05T10:00:00Z" }),
      "",
      record(9, { account_email: undefined, account_id: cast.owner.id, parent_message_id: 4_711 }),
      record(10, { body: " ", attachments: [{ id: 1 }, { id: 2 }] }),
      record(11, { deleted: true }),
    ];
    const before = await history();
    expect((await run(records)).slice(1)).toEqual([
      "  1 are deleted and were left out",
      "  1 have no text and were left out",
      "  1 reply to a message that is not before them, and stand as messages of their own",
      "  2 attachments were left out: files are not in the records",
    ]);
    const [first, second, third, ...none] = (await history()).slice(before.length);
    expect(none).toEqual([]);
    expect(first).toMatchObject({ body: "Łódź bass", datetime: DAY, account_id: cast.owner.id, edited: false });
    expect(second).toMatchObject({ account_id: cast.admin.id, parent_message_id: first?.id, parent_account_id: cast.owner.id, edited: true });
    expect(third).toMatchObject({ account_id: cast.owner.id, parent_message_id: null });
    const found = await cast.world.call(cast.owner, searchMessages, { params: { project_id: cast.apart.project }, query: { q: "lodz" } });
    expect(found.answer.data.map(({ id }) => id)).toEqual([first?.id]);

    const [again] = await run([...records, record(12, { parent_message_id: "x-8" })]);
    expect(again).toMatch(/^Imported: 1 messages/);
    expect((await history()).slice(before.length + 3)).toMatchObject([{ body: "message 12", parent_message_id: second?.id }]);
    // Who writes on follows it.
    expect(await writeMessage(cast.world, cast.owner, cast.apart.project, "and on")).toBeGreaterThan((await history()).at(-2)?.id ?? 0);
  });
  it("is no news to who had read everything, and one event however much it is", async () => {
    const { world, member, owner, guest, home } = cast;
    const marker = async (by: typeof member) => (await world.call(by, getReadMarker, { params: { project_id: home.project } })).answer.data.unread_count;
    // Member and guest came after the welcome; then one of them has something unread.
    await writeMessage(world, owner, home.project, "unread by both");
    await world.database.write((tx) =>
      tx
        .updateTable("read_markers")
        .set({ last_read_message_id: 9_999_999 })
        .where("account_id", "=", member.id)
        .where("project_id", "=", home.project)
        .execute(),
    );
    const events = () => world.database.read.selectFrom("events").select("type").where("topic", "=", `project:${home.project}`).execute();
    const before = (await events()).length;
    const many = Array.from({ length: 2_500 }, (_, index) => record(`many-${index}`, { parent_message_id: index > 0 ? `many-${index - 1}` : null }));
    await run(many, { projectId: home.project });
    expect((await events()).slice(before).map(({ type }) => type)).toEqual(["messages.imported"]);
    expect([await marker(member), await marker(guest)]).toEqual([0, 100]);
    const last = (await history(home.project)).at(-1);
    expect(last).toMatchObject({ body: "message many-2499", parent: { excerpt: "message many-2498" } });
  });
  it.each([
    ["{", "Line 2: is not JSON."],
    ["[]", "Line 2: is not a JSON object."],
    [{ id: 0 }, "Line 2: id must be a positive integer"],
    [{ id: "a\nb" }, "Line 2: id must be"],
    [{ body: 7 }, "Line 2: body must be a text."],
    [{ body: "a\0b" }, "Line 2: body must not contain NUL characters."],
    [{ body: "x".repeat(10_001) }, "Line 2: body must have at most 10,000 characters"],
    [{ datetime: "yesterday" }, "Line 2: datetime must be a moment"],
    [{ datetime: "2021-13-01T00:00:00Z" }, "Line 2: datetime must be a moment"],
    [{ parent_message_id: {} }, "Line 2: parent_message_id must be an id."],
    [{ id: "good" }, "Line 2: id good stands in the file twice."],
    [{ account_email: "who@x.example" }, "Line 2: nobody of the organisation is who@x.example; name somebody with --author."],
    [{ account_email: undefined, account_id: 999_999 }, "Line 2: nobody of the organisation is account 999999;"],
  ])("a wrong line is told with its number: %j", async (wrong, what) => {
    const before = (await history()).length;
    const lines = [record("good"), typeof wrong === "string" ? wrong : record("bad", wrong), record("after")];
    expect(await failure(lines, { dryRun: true })).toContain(what);
    expect((await history()).length).toBe(before);
  });
  it("a wrong line ends it; what stood before is in, and corrected it goes on", async () => {
    const message = await failure([record("s1"), record("s2", { datetime: "never" }), record("s3")]);
    expect(message).toContain("1 messages before it are imported");
    expect((await run([record("s1"), record("s2"), record("s3")]))[0]).toMatch(/^Imported: 2 messages/);
  });
  it("a dry run tells all wrong lines and writes nothing", async () => {
    const before = (await history()).length;
    const message = await failure([record("d1", { body: 1 }), record("d2"), record("d3", { body: 2 })], { dryRun: true });
    expect(message).toBe("Line 1: body must be a text.\nLine 3: body must be a text.\nNothing was written.");
    expect((await run([record("d1"), record("d2")], { dryRun: true }))[0]).toMatch(/^To import: 2 messages/);
    expect((await history()).length).toBe(before);
  });
  it("--author writes what nobody here wrote; never somebody of another organisation", async () => {
    const fallback = { id: cast.admin.id, organisation_id: 1 };
    const lines = await run([record("f1", { account_email: "gone@x.example", account_id: cast.owner.id })], { fallback });
    expect(lines[1]).toContain("1 are by nobody of the organisation");
    expect((await history()).at(-1)).toMatchObject({ account_id: cast.admin.id });
    expect(await failure([], { fallback: { id: cast.foreignOwner.id, organisation_id: 2 } })).toContain("--author");
    expect(await failure([record("f2", { account_email: cast.foreignOwner.email })])).toContain("nobody of the organisation");
  });
  it("nobody can take the name that a record will have", async () => {
    const { world, owner, apart } = cast;
    const send = async (client_id: string) =>
      (await world.wild(owner, sendMessage, { body: { project_id: apart.project, body: "was here before", client_id } })).status;
    // What it was called once, and what it is called.
    expect(await send("import:taken-1")).toBe(200);
    expect(await send("import/taken-1")).toBe(400);
    expect((await run([record("taken-1")]))[0]).toMatch(/^Imported: 1 messages/);
  });
  it("a file that is not there is told", async () => {
    expect(await failure([], { file: join(folder, "absent") })).toContain("cannot be read");
  });
});
