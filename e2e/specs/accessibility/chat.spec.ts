import { createProject, write } from "../../fixtures/api.ts";
import { expectAccessible, expectReadable } from "../../fixtures/axe.ts";
import { answered } from "../../fixtures/guard.ts";
import { composer, railProject, send, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/network.ts";
import { unique } from "../../fixtures/test.ts";

test("the chat is accessible with messages, with one that was refused, and without any; its rows are read well", async ({
  pair: { ana, ben, project },
  open,
  guard,
  network,
}, info) => {
  await write(ben, project.id, "first thing");
  await write(ben, project.id, "second thing");
  await write(ben, project.id, "Delivery spec: https://northlight.example/spec.pdf");
  await write(ben, project.id, "and a second line\nunder it");
  const empty = await createProject(ana, unique("Paper Boats", info.testId));
  const page = await open(ana, `/projects/${project.id}/chat`);
  await test.step("rows of the timeline read as author, time, text; what arrives is announced", async () => {
    await expect(timeline(page)).toHaveAccessibleName(`Messages in ${project.name}`);
    const rows = timeline(page).getByRole("listitem");
    await expect(rows.filter({ hasText: "first thing" })).toHaveText(new RegExp(`${ben.name}\\s*\\d\\d:\\d\\d\\s*first thing$`));
    // A message under its author's last one leaves the name out of sight, but not out of hearing.
    await expect(rows.filter({ hasText: "second thing" })).toHaveText(new RegExp(`${ben.name}:\\s*\\d\\d:\\d\\d\\s*second thing$`));
    await write(ben, project.id, "news for the ears");
    await expect(page.locator("[aria-live=polite]")).toHaveText(`${ben.name}: news for the ears`);
    await send(page, "mine is not read to me");
    await expect(page.getByText("mine is not read to me")).toBeVisible();
    await expect(page.locator("[aria-live=polite]")).not.toContainText("mine is not read to me");
  });

  await test.step("with messages", async () => {
    await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
    await expectAccessible(page);
    await expectReadable(page);
  });

  await test.step("with a message that was refused", async () => {
    guard.allow(answered(400));
    const refusal = await network.refuse(page, "**/v1/account/projects/chat_message", 400, "not today");
    await send(page, "refused");
    await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
    await expectAccessible(page);
    await refusal.end();
  });

  await test.step("without messages, and with one too long to send", async () => {
    await railProject(page, empty.name).click();
    await expect(page.getByText("No messages yet")).toBeVisible();
    await composer(page).fill("x".repeat(10_002));
    await expect(page.getByText("2 characters too long")).toBeVisible();
    await expectAccessible(page);
  });
});
