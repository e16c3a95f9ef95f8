import { createProject, createMessage } from "../../fixtures/api.ts";
import { expectAccessible, expectReadable } from "../../fixtures/axe.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { composer, railProject, send, timeline } from "../../fixtures/pages.ts";
import { uniqueName } from "../../fixtures/test.ts";

test("the chat is accessible with messages, with a rejected message and without messages; rows read as author, time and text", async ({
  pair: { ana, ben, project },
  open,
  pageErrors,
  network,
}, info) => {
  await createMessage(ben, project.id, "first thing");
  await createMessage(ben, project.id, "second thing");
  await createMessage(ben, project.id, "Delivery spec: https://northlight.example/spec.pdf");
  await createMessage(ben, project.id, "and a second line\nunder it");
  const empty = await createProject(ana, uniqueName("Paper Boats", info.testId));
  const page = await open(ana, `/projects/${project.id}/chat`);
  await test.step("rows of the timeline read as author, time and text, and new messages are announced", async () => {
    await expect(timeline(page)).toHaveAccessibleName(`Messages in ${project.name}`);
    const rows = timeline(page).getByRole("listitem");
    await expect(rows.filter({ hasText: "first thing" })).toHaveText(new RegExp(`${ben.name}\\s*\\d\\d:\\d\\d\\s*first thing$`));
    // A grouped message hides its author's name visually, but not from screen readers.
    await expect(rows.filter({ hasText: "second thing" })).toHaveText(new RegExp(`${ben.name}:\\s*\\d\\d:\\d\\d\\s*second thing$`));
    await createMessage(ben, project.id, "news for the ears");
    await expect(page.locator("[aria-live=polite]")).toHaveText(`${ben.name}: news for the ears`);
    await send(page, "mine is not read to me");
    await expect(page.getByText("mine is not read to me")).toBeVisible();
    await expect(page.locator("[aria-live=polite]")).not.toContainText("mine is not read to me");
  });

  await test.step("a chat with messages is accessible", async () => {
    await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
    await expectAccessible(page);
    await expectReadable(page);
  });

  await test.step("a chat with a rejected message is accessible", async () => {
    pageErrors.allow(statusError(400));
    const interception = await network.replyWithProblem(page, "**/v1/account/projects/chat_message", 400, "not today");
    await send(page, "refused");
    await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
    await expectAccessible(page);
    await interception.end();
  });

  await test.step("a chat without messages, with a draft that is too long, is accessible", async () => {
    await railProject(page, empty.name).click();
    await expect(page.getByText("No messages yet")).toBeVisible();
    await composer(page).fill("x".repeat(10_002));
    await expect(page.getByText("2 characters too long")).toBeVisible();
    await expectAccessible(page);
  });
});
