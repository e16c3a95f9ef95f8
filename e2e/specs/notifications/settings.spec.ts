import type { Page } from "@playwright/test";
import { getNotificationSettings, listProjectNotificationSettings } from "../../../contract/operations/notifications.ts";
import { call, createMessage, type Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { newTab, rail, selectOption } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

const bell = (page: Page) => rail(page).getByRole("link", { name: /^Inbox/ });
const settingsOf = async (person: Person) => (await call(person, getNotificationSettings)).data;

test("settings of notifications apply at once, in every tab, and decide what is listed", async ({ pair: { ana, ben, project }, open }) => {
  const page = await open(ben, "/settings/notifications");
  const otherTab = await open(ben, "/settings/notifications");
  const mentionsInApp = (tab: Page) => tab.getByRole("checkbox", { name: "Mentions: In app" });

  await test.step("a kind can be switched off by keyboard", async () => {
    await expect(mentionsInApp(page)).toBeChecked();
    await expectAccessible(page);
    await mentionsInApp(page).focus();
    await page.keyboard.press("Space");
    await expect(mentionsInApp(otherTab)).not.toBeChecked();
    await expect.poll(async () => (await settingsOf(ben)).kinds.mention.app).toBe(false);
    await createMessage(ana, project.id, `Not listed <@${ben.id}>`);
    await mentionsInApp(page).click();
    await expect(mentionsInApp(otherTab)).toBeChecked();
    await createMessage(ana, project.id, `Listed <@${ben.id}>`);
    await expect(bell(page)).toHaveAccessibleName("Inbox 1 unread");
  });

  await test.step("do not disturb and a pause", async () => {
    await page.getByRole("checkbox", { name: "Do not disturb every day" }).click();
    await page.getByLabel("From").fill("21:30");
    await expect.poll(async () => (await settingsOf(ben)).do_not_disturb).toEqual({ start: "21:30", end: "08:00" });
    // Another tab shows it, and changes the other time without undoing it.
    await expect(otherTab.getByLabel("From")).toHaveValue("21:30");
    await otherTab.getByLabel("Until").fill("09:15");
    await expect(page.getByLabel("Until")).toHaveValue("09:15");
    expect((await settingsOf(ben)).do_not_disturb).toEqual({ start: "21:30", end: "09:15" });
    await page.getByLabel("Until").fill("21:30");
    await expect(page.getByText("Choose another time than in From.")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("checkbox", { name: "Do not disturb every day" }).click();
    await expect.poll(async () => (await settingsOf(ben)).do_not_disturb).toBeNull();
    await page.getByRole("button", { name: "Pause for" }).click();
    await page.getByRole("menuitem", { name: "1 hour" }).click();
    await expect(otherTab.getByText(/^Paused until /)).toBeVisible();
    await otherTab.getByRole("button", { name: "Resume" }).click();
    await expect(page.getByRole("button", { name: "Pause for" })).toBeVisible();
  });
});

test("a project can be muted from a notification, undone, and have settings of its own", async ({ pair: { ana, ben, project }, open }) => {
  await createMessage(ana, project.id, `Listen <@${ben.id}>`);
  const page = await open(ben, "/notifications");
  const settingsOfProjects = async () => (await call(ben, listProjectNotificationSettings, { query: {} })).data;

  await test.step("muting and undoing", async () => {
    await page.getByRole("button", { name: "More actions for this notification" }).click();
    await page.getByRole("menuitem", { name: `Mute ${project.name}` }).click();
    await expect(page.getByText(`${project.name} is muted.`)).toBeVisible();
    expect(await settingsOfProjects()).toMatchObject([{ project_id: project.id, muted: true }]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(settingsOfProjects).toEqual([]);
  });

  await test.step("the project's own settings, and back to the account's", async () => {
    await page.getByRole("link", { name: "Notification settings" }).click();
    await selectOption(page.getByRole("button", { name: "Add a project" }), project.name);
    const options = page.getByRole("group", { name: `Notifications of ${project.name}` });
    // Shown as unchecked once React has rendered the pending change, which `uncheck` does not wait for.
    await options.getByRole("checkbox", { name: "Comments: In app" }).click();
    await expect(options.getByRole("checkbox", { name: "Comments: In app" })).not.toBeChecked();
    await expect(page.getByText("1 changed")).toBeVisible();
    const otherTab = await newTab(page, `${ben.url}/settings/notifications`);
    await expect(otherTab.getByText("1 changed")).toBeVisible();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole("button", { name: "Customize" }).click();
    await expect(options.getByRole("checkbox", { name: "Comments: In app" })).not.toBeChecked();
    await expect(options.getByRole("checkbox", { name: "Replies: In app" })).toBeChecked();
    await options.getByRole("button", { name: "Use the settings above" }).click();
    await expect(otherTab.getByText("All projects use the settings above.")).toBeVisible();
    await expect(options.getByRole("checkbox", { name: "Comments: In app" })).toBeChecked();
    await expect.poll(settingsOfProjects).toEqual([]);
  });

  await test.step("a muted project causes no notification", async () => {
    await page.getByRole("checkbox", { name: `Mute ${project.name}` }).click();
    await expect.poll(settingsOfProjects).toMatchObject([{ muted: true }]);
    await createMessage(ana, project.id, `Quiet <@${ben.id}>`);
    await bell(page).click();
    await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: "Listen" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
  });
});
