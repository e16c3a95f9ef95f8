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
});

test("one's own messages are never unread", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, "/settings/profile");
  await expect(railProject(page, project.name)).toBeVisible();
  const mine = await write(ana, project.id, "from another device");
  await page.reload();
  await expect(railProject(page, project.name)).toHaveAccessibleName(project.name);
  expect(mine.account_id).toBe(ana.id);
});

test("a chat opens at the first unread message, under the New line", async ({ house, pair: { ana, ben, project }, open }) => {
  const ids = importMessages(house.service, project.id, longHistory(200, [ben.id, ben.id], Date.now()));
  await markRead(ana, project.id, ids[119] ?? 0);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(page.getByText("New messages", { exact: true })).toBeAttached();
  await expect(message(page, /#120 /)).toBeInViewport();
  await expect(message(page, /#121 /)).toBeInViewport();
  const line = timeline(page).getByRole("listitem").filter({ hasText: "New messages" });
  const [above, below, at] = await Promise.all([message(page, /#120 /).boundingBox(), message(page, /#121 /).boundingBox(), line.boundingBox()]);
  expect(above!.y).toBeLessThan(at!.y);
  expect(at!.y).toBeLessThan(below!.y);
  // Nothing counts as read before it was seen.
  await expect(page.getByRole("button", { name: "80 new messages" })).toBeVisible();
});

test("who joined before the first message begins with it", async ({ house, pair: { ana, ben, project }, open }) => {
  importMessages(house.service, project.id, longHistory(120, [ben.id, ben.id], Date.now()));
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, /#1 /)).toBeInViewport();
  await expect(page.getByText(`This is where ${project.name} begins.`)).toBeInViewport();
});

test("what is imported beside an open chat comes in by itself", async ({ house: { service }, pair: { ana, ben, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(page.getByText("No messages yet")).toBeVisible();
  const folder = await mkdtemp(path(tmpdir(), "talkback-import-"));
  try {
    const records = [1, 2, 3].map((id) => ({ id, body: `from elsewhere ${id}`, datetime: `2026-03-0${id}T10:00:00Z`, account_id: ben.id }));
    await writeFile(path(folder, "chat.jsonl"), records.map((one) => JSON.stringify(one)).join("\n"));
    await service.admin("import-chat", "--project", String(project.id), "--file", path(folder, "chat.jsonl"));
  } finally {
    await rm(folder, { recursive: true });
  }
  for (const id of [1, 2, 3]) await expect(message(page, `from elsewhere ${id}`)).toBeVisible();
});
