import { composer, expectSent, message, rail, railProject, send } from "../../fixtures/pages.ts";
import { createMessage } from "../../fixtures/api.ts";
import { sendFiles } from "../../fixtures/files.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { expect, test } from "../../fixtures/test.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test("on a phone the project list, the chat, the members and the settings each fill the screen, and Back leads to the previous one", async ({
  pair: { ana, ben, project },
  open,
}) => {
  await createMessage(ben, project.id, "waiting for you");
  const page = await open(ana, "/", PHONE);
  await expect(rail(page)).toBeVisible();
  await railProject(page, project.name).tap();
  await expect(message(page, "waiting for you")).toBeInViewport();
  await expect(rail(page)).toBeHidden();

  await composer(page).tap();
  await send(page, "from the train");
  await expectSent(page, "from the train");
  await expect(composer(page)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: "Send" })).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await page.getByRole("banner").or(page.locator("header")).getByRole("link", { name: "Members" }).first().tap();
  await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();
  await expect(page.getByText(ben.name)).toBeVisible();
  await page.getByRole("link", { name: "Back" }).tap();
  await expect(page.getByRole("heading", { name: "Members" })).toHaveCount(0);
  await expect(composer(page)).toBeVisible();

  await page.getByRole("link", { name: "Back" }).tap();
  await expect(rail(page)).toBeVisible();
  await expect(railProject(page, project.name)).toHaveAccessibleName(project.name);

  await railProject(page, project.name).tap();
  await expect(composer(page)).toBeVisible();
  await page.getByRole("navigation", { name: "Talkback" }).getByRole("link", { name: "Settings" }).tap();
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
});

test("nothing overflows horizontally at 320 pixels", async ({ pair: { ana, ben, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/chat`, { ...PHONE, viewport: { width: 320, height: 640 } });
  const main = page.getByRole("main");
  const expectToFit = async () => {
    await expect(page.getByRole("heading").first()).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  };
  await expect(main.getByText("No messages yet")).toBeVisible();
  await expectToFit();
  await page.locator("header").getByRole("link", { name: "Members" }).first().tap();
  await expect(main.getByText(ben.name)).toBeVisible();
  await expectToFit();
  await page.getByRole("link", { name: "Back" }).tap();
  await expect(main.getByText("No messages yet")).toBeVisible();
  await page.getByRole("navigation", { name: "Talkback" }).getByRole("link", { name: "Settings" }).tap();
  for (const [name, ready] of [
    ["Profile", main.getByRole("button", { name: "Change password" })],
    ["Members", main.getByText(ben.email)],
    ["API tokens", main.getByText("No API tokens yet")],
    ["Sessions", main.getByText("This browser")],
  ] as const) {
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name }).tap();
    await expect(ready).toBeVisible();
    await expectToFit();
  }
});

test("on a phone the tab from which a file was opened stays active and leads back, and My tasks is a tab", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ben, project, "nightdrive_mix.wav");
  await sendFiles(ben, project, [id], "The mix");
  const page = await open(ana, `/projects/${project.id}/chat`, PHONE);
  const bar = page.getByRole("navigation", { name: "Talkback" });
  const active = bar.locator("[aria-current]");
  await expect(active).toHaveText("Chat");
  await message(page, "The mix").getByRole("link", { name: "nightdrive_mix.wav", exact: true }).tap();
  await expect(page).toHaveURL(new RegExp(`/files/${id}`));
  await expect(active).toHaveText("Chat");
  await active.tap();
  await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/chat`);
  await bar.getByRole("link", { name: "Files" }).tap();
  await page.getByRole("grid").getByRole("link", { name: "nightdrive_mix.wav" }).tap();
  await expect(page).toHaveURL(new RegExp(`/files/${id}`));
  await expect(active).toHaveText("Files");
  await bar.getByRole("link", { name: "Tasks" }).tap();
  await expect(page).toHaveURL(`${ana.url}/tasks`);
  await expect(active).toHaveText("Tasks");
  await expect(bar.getByRole("link", { name: "Inbox" })).toBeInViewport({ ratio: 1 });
});
