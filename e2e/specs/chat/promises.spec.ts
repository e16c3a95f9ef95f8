/** Small promises that chats break elsewhere. */
import { addProjectMember, removeProjectMember } from "../../../contract/operations/projects.ts";
import { call, history, write } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { beforeClient } from "../../fixtures/before-client.ts";
import { processed, sendFiles, upload } from "../../fixtures/files.ts";
import { answered, NETWORK_LOSS } from "../../fixtures/guard.ts";
import { importMessages } from "../../fixtures/import.ts";
import { wav } from "../../fixtures/media.ts";
import { composer, connectionLine, expectSent, message, railProject, send, textsInOrder, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/network.ts";

const DAY = 86_400_000;

test("a project that is taken away under one's eyes says so, and keeps what was written until it is back", async ({
  house: { owner },
  pair: { ana, ben, project },
  open,
  guard,
  network,
}) => {
  guard.allow(NETWORK_LOSS);
  guard.allow(answered(404));
  await write(ben, project.id, "before");
  const page = await open(ana, `/projects/${project.id}/chat`);
  const refused: string[] = [];
  page.on("response", (response) => response.status() >= 400 && refused.push(`${response.status()} ${response.url()}`));
  await expect(message(page, "before")).toBeVisible();
  const cut = await network.fail(page, "**/v1/account/projects/chat_message");
  await send(page, "too late to send");
  await expect(message(page, "too late to send")).toContainText("Waiting for the connection");
  await composer(page).fill("half a thought");

  await call(owner, removeProjectMember, { params: { project_id: project.id, account_id: ana.id } });
  await expect(page.getByRole("main").getByText("This project is not here").last()).toBeVisible();
  await expect(railProject(page, project.name)).toHaveCount(0);
  const kept = page.getByRole("region", { name: "What you wrote here" });
  for (const text of ["half a thought", "too late to send"]) await expect(kept.getByRole("listitem").filter({ hasText: text })).toBeVisible();
  await expectAccessible(page);
  // The service refuses what waited: from then on its writer decides.
  await cut.end();
  await expect(kept.getByRole("button", { name: "Delete" })).toBeVisible();
  await expect(connectionLine(page)).toHaveCount(0);

  await call(owner, addProjectMember, { params: { project_id: project.id }, body: { account_id: ana.id } });
  await expect(composer(page)).toHaveValue("half a thought");
  await message(page, "too late to send").getByRole("button", { name: "Retry" }).click();
  await expectSent(page, "too late to send");
  expect(refused.length, refused.join("\n")).toBeLessThanOrEqual(6);
});

test("with clocks that are wrong by a day both sides see the same days, order and undo", async ({ house, pair: { ana, ben, project }, open, network }) => {
  importMessages(house.service, project.id, [{ accountId: ben.id, body: "said yesterday", at: Date.now() - DAY }], [ana.id, ben.id]);
  await write(ben, project.id, "said today");
  const pages = await Promise.all([ana, ben].map((person) => open(person, "/icon.svg")));
  for (const [index, page] of pages.entries()) {
    const off = index === 0 ? DAY : -DAY;
    const shift = (by: number) => {
      const now = Date.now.bind(Date);
      const Right = Date;
      class Wrong extends Right {
        constructor(...given: [] | [string]) {
          if (given.length === 0) super(now() + by);
          else super(...given);
        }
        static override now = () => now() + by;
      }
      globalThis.Date = Wrong as DateConstructor;
    };
    await beforeClient(page, shift, off);
    await page.goto(`${ana.url}/projects/${project.id}/chat`);
    await expect(message(page, "said today")).toBeVisible();
    expect(Math.abs((await page.evaluate(() => Date.now())) - Date.now() - off)).toBeLessThan(DAY / 2);
  }
  const days = (page: (typeof pages)[number]) => timeline(page).getByRole("button", { name: /: jump to a date$/ });
  const [hers, his] = pages as [(typeof pages)[number], (typeof pages)[number]];
  for (const [page, text] of [
    [hers, "from tomorrow"],
    [his, "from yesterday"],
  ] as const) {
    const held = await network.hold(page, "**/chat_message");
    await send(page, text);
    // On its way and sent it stands under today, in the block of its writer.
    for (const sent of [false, true]) {
      await expect(message(page, text)).toHaveCount(1);
      await expect(message(page, text).locator("[data-message]")).toHaveCount(sent ? 1 : 0);
      await expect(days(page)).toHaveText(["Yesterday", "Today"]);
      await held.end();
    }
  }
  for (const page of pages)
    await expect.poll(() => textsInOrder(page, /said \w+|from \w+/)).toEqual(["said yesterday", "said today", "from tomorrow", "from yesterday"]);
  for (const [page, text] of [
    [hers, "from tomorrow"],
    [his, "from yesterday"],
  ] as const) {
    await message(page, text).hover();
    await message(page, text).getByRole("article").focus();
    await page.keyboard.press("Delete");
    await timeline(page).getByRole("button", { name: "Undo" }).click();
    await expect(message(page, text)).toBeVisible();
  }
  await expect
    .poll(async () => (await history(ana, project.id)).map(({ body }) => body))
    .toEqual(["said yesterday", "said today", "from tomorrow", "from yesterday"]);
});

test("a time beside a sound plays from there, and whoever is mentioned sees it", async ({ pair: { ana, ben, project }, open }) => {
  const id = await upload(ana, project, "nightdrive_mix.wav", wav(8));
  await processed(ana, id);
  await sendFiles(ana, project, [id], `Hot at 0:05, <@${ben.id}>, not <@${ana.id}>`);
  await write(ana, project.id, "without a sound 0:05 is text");
  const page = await open(ben, `/projects/${project.id}/chat`);
  const row = message(page, "Hot at");
  const [own, other] = [ben, ana].map(({ name }) => row.locator("bdi", { hasText: `@${name}` }));
  const background = (element: Element) => getComputedStyle(element).backgroundColor;
  expect(await own!.evaluate(background)).not.toBe(await other!.evaluate(background));
  await expect(message(page, "without a sound").getByRole("button", { name: "Play from 0:05" })).toHaveCount(0);
  await row.getByRole("button", { name: "Play from 0:05" }).click();
  await expect(row.getByRole("button", { name: "Pause nightdrive_mix.wav" })).toBeVisible();
  await expect.poll(async () => Number(await row.getByRole("slider").getAttribute("aria-valuenow"))).toBeGreaterThanOrEqual(5);
});
