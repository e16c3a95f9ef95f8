import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { deleteMessage, restoreMessage } from "../../../contract/operations/messages.ts";
import { call, createProject, joinByInvite, markRead, signIn, createMessage } from "../../fixtures/api.ts";
import { importMessages, longHistory } from "../../fixtures/message-history.ts";
import { composer, message, railProject, timeline } from "../../fixtures/pages.ts";
import { expect, test, uniqueName } from "../../fixtures/test.ts";

test("messages in another project are counted live in the rail, and reading clears the count in every browser", async ({
  organization: { owner },
  pair: { ana, project },
  open,
}, info) => {
  const other = await createProject(owner, uniqueName("Halden", info.testId));
  const ben = await joinByInvite(owner, uniqueName("Ben", info.testId), "member", [project.id, other.id]);
  const page = await open(ben, `/projects/${project.id}/chat`);
  const phone = await open(await signIn(ben.url, ben.email), "/settings/profile");
  await expect(composer(page)).toBeVisible();
  await expect(railProject(phone, other.name)).toBeVisible();

  await createMessage(owner, other.id, "first");
  await expect(railProject(page, `${other.name} 1 unread message`)).toBeVisible();
  const { id } = await createMessage(owner, other.id, "second");
  await expect(railProject(page, `${other.name} 2 unread messages`)).toBeVisible();
  await call(owner, deleteMessage, { params: { project_id: other.id, message_id: id } });
  await expect(railProject(page, `${other.name} 1 unread message`)).toBeVisible();
  await call(owner, restoreMessage, { params: { project_id: other.id, message_id: id } });
  await expect(railProject(page, `${other.name} 2 unread messages`)).toBeVisible();
  await expect(railProject(phone, `${other.name} 2 unread messages`)).toBeVisible();

  await railProject(page, other.name).click();
  await expect(message(page, "second")).toBeInViewport();
  await expect(page.getByText("New messages", { exact: true })).toBeAttached();
  await expect(railProject(page, other.name)).toHaveAccessibleName(other.name);
  await railProject(page, project.name).click();
  await expect(railProject(phone, other.name)).toHaveAccessibleName(other.name);
  await createMessage(ana, project.id, "seen as it comes");
  await expect(message(page, "seen as it comes")).toBeInViewport();
  await expect(railProject(phone, project.name)).toHaveAccessibleName(project.name);

  await test.step("the reader's own messages are never unread", async () => {
    const ownMessage = await createMessage(ben, other.id, "from another device");
    expect(ownMessage.account_id).toBe(ben.id);
    // Only the message after it is counted, so the reader's own message has arrived and is not unread, neither live nor after a reload.
    await createMessage(owner, other.id, "and an answer");
    await expect(railProject(phone, `${other.name} 1 unread message`)).toBeVisible();
    await phone.reload();
    await expect(railProject(phone, `${other.name} 1 unread message`)).toBeVisible();
  });
});

test("a chat opens at the first unread message below the New messages line, or at the beginning for a member who joined before the first message", async ({
  organization,
  pair: { ana, ben, project },
  createPerson,
  open,
}, info) => {
  const freshProject = await createProject(organization.owner, uniqueName("Fresh", info.testId));
  const imported = await createProject(organization.owner, uniqueName("Imported", info.testId));
  const rea = await createPerson("Rea", "member", [project.id, freshProject.id, imported.id]);
  const ids = importMessages(organization.service, project.id, longHistory(200, [ben.id, ana.id], Date.now()));
  importMessages(organization.service, freshProject.id, longHistory(120, [organization.owner.id, organization.owner.id], Date.now()));
  await markRead(rea, project.id, ids[119] ?? 0);
  const page = await open(rea, `/projects/${project.id}/chat`);

  await test.step("a chat opens at the first unread message, below the New messages line", async () => {
    await expect(page.getByText("New messages", { exact: true })).toBeAttached();
    await expect(message(page, /#120 /)).toBeInViewport();
    await expect(message(page, /#121 /)).toBeInViewport();
    const unreadLine = timeline(page).getByRole("listitem").filter({ hasText: "New messages" });
    await expect(async () => {
      const [rowAbove, rowBelow, lineBox] = await Promise.all([
        message(page, /#120 /).boundingBox(),
        message(page, /#121 /).boundingBox(),
        unreadLine.boundingBox(),
      ]);
      expect(rowAbove!.y).toBeLessThan(lineBox!.y);
      expect(lineBox!.y).toBeLessThan(rowBelow!.y);
    }).toPass();
    // Nothing is marked as read before it was visible.
    await expect(page.getByRole("button", { name: "80 new messages" })).toBeVisible();
  });

  await test.step("a chat opens at the beginning for a member who joined before the first message", async () => {
    await railProject(page, freshProject.name).click();
    await expect(message(page, /#1 /)).toBeInViewport();
    await expect(page.getByText(`This is the beginning of ${freshProject.name}.`)).toBeInViewport();
  });

  await test.step("messages imported while the chat is open appear automatically", async () => {
    await railProject(page, imported.name).click();
    await expect(page.getByText("No messages yet")).toBeVisible();
    const folder = await mkdtemp(joinPath(tmpdir(), "talkback-import-"));
    try {
      const records = [1, 2, 3].map((id) => ({ id, body: `from elsewhere ${id}`, datetime: `2026-03-0${id}T10:00:00Z`, account_id: organization.owner.id }));
      await writeFile(joinPath(folder, "chat.jsonl"), records.map((record) => JSON.stringify(record)).join("\n"));
      await organization.service.admin("import-chat", "--project", String(imported.id), "--file", joinPath(folder, "chat.jsonl"));
    } finally {
      await rm(folder, { recursive: true });
    }
    for (const id of [1, 2, 3]) await expect(message(page, `from elsewhere ${id}`)).toBeVisible();
  });
});
