import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as path } from "node:path";
import { deleteMessage, restoreMessage } from "../../../contract/operations/messages.ts";
import { call, createProject, join, markRead, signIn, write } from "../../fixtures/api.ts";
import { importMessages, longHistory } from "../../fixtures/import.ts";
import { composer, message, railProject, timeline } from "../../fixtures/pages.ts";
import { expect, test, unique } from "../../fixtures/test.ts";

test("what comes in elsewhere is counted live in the rail, and reading clears it in every browser", async ({
  house: { owner },
  pair: { ana, project },
  open,
}, info) => {
  const other = await createProject(owner, unique("Halden", info.testId));
  const ben = await join(owner, unique("Ben", info.testId), "member", [project.id, other.id]);
  const page = await open(ben, `/projects/${project.id}/chat`);
  const phone = await open(await signIn(ben.url, ben.email), "/settings/profile");
  await expect(composer(page)).toBeVisible();
  await expect(railProject(phone, other.name)).toBeVisible();

  await write(owner, other.id, "first");
  await expect(railProject(page, `${other.name} 1 unread message`)).toBeVisible();
  const { id } = await write(owner, other.id, "second");
  await expect(railProject(page, `${other.name} 2 unread messages`)).toBeVisible();
  await call(owner, deleteMessage, { params: { project_id: other.id, message_id: id } });
  await expect(railProject(page, `${other.name} 1 unread message`)).toBeVisible();
  await call(owner, restoreMessage, { params: { project_id: other.id, message_id: id } });
  await expect(railProject(page, `${other.name} 2 unread messages`)).toBeVisible();
  await expect(railProject(phone, `${other.name} 2 unread messages`)).toBeVisible();

  await railProject(page, other.name).click();
  await expect(message(page, "second")).toBeInViewport();
  await expect(page.getByText("New messages", { exact: true })).toBeAttached();
  await railProject(page, project.name).click();
  await expect(railProject(page, other.name)).toHaveAccessibleName(other.name);
  await expect(railProject(phone, other.name)).toHaveAccessibleName(other.name);
  await write(ana, project.id, "seen as it comes");
  await expect(message(page, "seen as it comes")).toBeInViewport();
  await expect(railProject(phone, project.name)).toHaveAccessibleName(project.name);

  await test.step("one's own messages are never unread", async () => {
    const mine = await write(ben, other.id, "from another device");
    expect(mine.account_id).toBe(ben.id);
    // What comes after it is counted alone, so the own message has come and counts for nothing, neither live nor after a reload.
    await write(owner, other.id, "and an answer");
    await expect(railProject(phone, `${other.name} 1 unread message`)).toBeVisible();
    await phone.reload();
    await expect(railProject(phone, `${other.name} 1 unread message`)).toBeVisible();
  });
});

test("a chat opens at the first unread message, under the New line; who joined before the first message begins with it", async ({
  house,
  pair: { ana, ben, project },
  newPerson,
  open,
}, info) => {
  const fresh = await createProject(house.owner, unique("Fresh", info.testId));
  const imported = await createProject(house.owner, unique("Imported", info.testId));
  const rea = await newPerson("Rea", "member", [project.id, fresh.id, imported.id]);
  const ids = importMessages(house.service, project.id, longHistory(200, [ben.id, ana.id], Date.now()));
  importMessages(house.service, fresh.id, longHistory(120, [house.owner.id, house.owner.id], Date.now()));
  await markRead(rea, project.id, ids[119] ?? 0);
  const page = await open(rea, `/projects/${project.id}/chat`);

  await test.step("a chat opens at the first unread message, under the New line", async () => {
    await expect(page.getByText("New messages", { exact: true })).toBeAttached();
    await expect(message(page, /#120 /)).toBeInViewport();
    await expect(message(page, /#121 /)).toBeInViewport();
    const line = timeline(page).getByRole("listitem").filter({ hasText: "New messages" });
    await expect(async () => {
      const [above, below, at] = await Promise.all([message(page, /#120 /).boundingBox(), message(page, /#121 /).boundingBox(), line.boundingBox()]);
      expect(above!.y).toBeLessThan(at!.y);
      expect(at!.y).toBeLessThan(below!.y);
    }).toPass();
    // Nothing counts as read before it was seen.
    await expect(page.getByRole("button", { name: "80 new messages" })).toBeVisible();
  });

  await test.step("who joined before the first message begins with it", async () => {
    await railProject(page, fresh.name).click();
    await expect(message(page, /#1 /)).toBeInViewport();
    await expect(page.getByText(`This is where ${fresh.name} begins.`)).toBeInViewport();
  });

  await test.step("what is imported beside an open chat comes in by itself", async () => {
    await railProject(page, imported.name).click();
    await expect(page.getByText("No messages yet")).toBeVisible();
    const folder = await mkdtemp(path(tmpdir(), "talkback-import-"));
    try {
      const records = [1, 2, 3].map((id) => ({ id, body: `from elsewhere ${id}`, datetime: `2026-03-0${id}T10:00:00Z`, account_id: house.owner.id }));
      await writeFile(path(folder, "chat.jsonl"), records.map((one) => JSON.stringify(one)).join("\n"));
      await house.service.admin("import-chat", "--project", String(imported.id), "--file", path(folder, "chat.jsonl"));
    } finally {
      await rm(folder, { recursive: true });
    }
    for (const id of [1, 2, 3]) await expect(message(page, `from elsewhere ${id}`)).toBeVisible();
  });
});
