/** Details that other chats often get wrong. */
import { addProjectMember, removeProjectMember } from "../../../contract/operations/projects.ts";
import { call, loadMessages, createMessage } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { runBeforeClient } from "../../fixtures/before-client.ts";
import { waitUntilProcessed, sendFiles, upload } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { importMessages } from "../../fixtures/message-history.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError, NETWORK_LOSS } from "../../fixtures/page-errors.ts";
import { composer, connectionBanner, expectSent, message, railProject, send, textsInOrder, timeline } from "../../fixtures/pages.ts";

const DAY = 86_400_000;

test("losing access to an open project shows that it is not found, and preserves unsent text until access returns", async ({
  organization: { owner },
  pair: { ana, ben, project },
  open,
  pageErrors,
  network,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  pageErrors.allow(statusError(404));
  await createMessage(ben, project.id, "before");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const failedResponses: string[] = [];
  page.on("response", (response) => response.status() >= 400 && failedResponses.push(`${response.status()} ${response.url()}`));
  await expect(message(page, "before")).toBeVisible();
  const outage = await network.fail(page, "**/v1/account/projects/chat_message");
  await send(page, "too late to send");
  await expect(message(page, "too late to send")).toContainText("Waiting to send");
  await composer(page).fill("half a thought");

  await call(owner, removeProjectMember, { params: { project_id: project.id, account_id: ana.id } });
  await expect(page.getByRole("main").getByText("Project not found").last()).toBeVisible();
  await expect(railProject(page, project.name)).toHaveCount(0);
  const unsentTexts = page.getByRole("region", { name: "Unsent drafts" });
  for (const text of ["half a thought", "too late to send"]) await expect(unsentTexts.getByRole("listitem").filter({ hasText: text })).toBeVisible();
  await expectAccessible(page);
  // The service rejects the pending message, so the writer has to decide.
  await outage.end();
  await expect(unsentTexts.getByRole("button", { name: "Delete" })).toBeVisible();
  await expect(connectionBanner(page)).toHaveCount(0);

  await call(owner, addProjectMember, { params: { project_id: project.id }, body: { account_id: ana.id } });
  await expect(composer(page)).toHaveValue("half a thought");
  await message(page, "too late to send").getByRole("button", { name: "Retry" }).click();
  await expectSent(page, "too late to send");
  expect(failedResponses.length, failedResponses.join("\n")).toBeLessThanOrEqual(6);
});

test("with clocks that are wrong by a day, both people see the same days and order and can undo", async ({
  organization,
  pair: { ana, ben, project },
  open,
  network,
}) => {
  importMessages(organization.service, project.id, [{ accountId: ben.id, body: "said yesterday", createdAt: Date.now() - DAY }], [ana.id, ben.id]);
  await createMessage(ben, project.id, "said today");
  const pages = await Promise.all([ana, ben].map((person) => open(person, "/icon.svg")));
  for (const [index, page] of pages.entries()) {
    const clockOffset = index === 0 ? DAY : -DAY;
    const shiftClock = (offset: number) => {
      const now = Date.now.bind(Date);
      const OriginalDate = Date;
      class ShiftedDate extends OriginalDate {
        constructor(...args: [] | [string]) {
          if (args.length === 0) super(now() + offset);
          else super(...args);
        }
        static override now = () => now() + offset;
      }
      globalThis.Date = ShiftedDate as DateConstructor;
    };
    await runBeforeClient(page, shiftClock, clockOffset);
    await page.goto(`${ana.url}/projects/${project.id}/chat`);
    await expect(message(page, "said today")).toBeVisible();
    expect(Math.abs((await page.evaluate(() => Date.now())) - Date.now() - clockOffset)).toBeLessThan(DAY / 2);
  }
  const days = (page: (typeof pages)[number]) => timeline(page).getByRole("button", { name: /: jump to a date$/ });
  const [anaPage, benPage] = pages as [(typeof pages)[number], (typeof pages)[number]];
  for (const [page, text] of [
    [anaPage, "from tomorrow"],
    [benPage, "from yesterday"],
  ] as const) {
    const pausedSend = await network.pause(page, "**/chat_message");
    await send(page, text);
    // Both pending and sent, the message is under today and grouped with its author's messages.
    for (const isSent of [false, true]) {
      await expect(message(page, text)).toHaveCount(1);
      await expect(message(page, text).locator("[data-message]")).toHaveCount(isSent ? 1 : 0);
      await expect(days(page)).toHaveText(["Yesterday", "Today"]);
      await pausedSend.end();
    }
  }
  for (const page of pages)
    await expect.poll(() => textsInOrder(page, /said \w+|from \w+/)).toEqual(["said yesterday", "said today", "from tomorrow", "from yesterday"]);
  for (const [page, text] of [
    [anaPage, "from tomorrow"],
    [benPage, "from yesterday"],
  ] as const) {
    await message(page, text).hover();
    await message(page, text).getByRole("article").focus();
    await page.keyboard.press("Delete");
    await timeline(page).getByRole("button", { name: "Undo" }).click();
    await expect(message(page, text)).toBeVisible();
  }
  await expect
    .poll(async () => (await loadMessages(ana, project.id)).map(({ body }) => body))
    .toEqual(["said yesterday", "said today", "from tomorrow", "from yesterday"]);
});

test("a time next to an audio file plays from there, and a mentioned person sees the mention highlighted", async ({ pair: { ana, ben, project }, open }) => {
  const id = await upload(ana, project, "nightdrive_mix.wav", wav(20));
  await waitUntilProcessed(ana, id);
  await sendFiles(ana, project, [id], `Hot at 0:05, <@${ben.id}>, not <@${ana.id}>`);
  const page = await open(ben, `/projects/${project.id}/chat`);
  const row = message(page, "Hot at");
  const [ownMention, otherMention] = [ben, ana].map(({ name }) => row.locator("bdi", { hasText: `@${name}` }));
  const background = (element: Element) => getComputedStyle(element).backgroundColor;
  expect(await ownMention!.evaluate(background)).not.toBe(await otherMention!.evaluate(background));
  await row.getByRole("button", { name: "Play nightdrive_mix.wav from 0:05" }).click();
  await expect(row.getByRole("button", { name: "Pause nightdrive_mix.wav" })).toBeVisible();
  await expect.poll(async () => Number(await row.getByRole("slider").getAttribute("aria-valuenow"))).toBeGreaterThanOrEqual(5);
});
