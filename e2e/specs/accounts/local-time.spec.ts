import type { Page } from "@playwright/test";
import { updateAccount } from "../../../contract/operations/accounts.ts";
import { getSession } from "../../../contract/operations/session.ts";
import type { WorkingHours } from "../../../contract/account-profile.ts";
import { call, createMessage, type Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { composer, dialog, menuItem, message, newTab, openMenu, selectOption } from "../../fixtures/pages.ts";
import { taskRow, writeTask } from "../../fixtures/tasks.ts";
import { expect, test } from "../../fixtures/network.ts";

/** A time zone in which it is between noon and one now, so that no test runs into midnight there. */
const middayZone = (): string => {
  const offset = 12 - new Date().getUTCHours();
  // The names count to the west.
  return offset === 0 ? "Etc/GMT" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`;
};
/** A day ahead of Berlin for half of each day. */
const ZONE = "Pacific/Kiritimati";
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];
const setProfile = (person: Person, working_hours: WorkingHours | null) => call(person, updateAccount, { body: { time_zone: middayZone(), working_hours } });

test("time zone, format and working hours are set on the profile page, and the times that one reads follow them", async ({
  pair: { ana, ben, project },
  open,
}) => {
  await createMessage(ben, project.id, "see you");
  const page = await open(ana, "/settings/profile", { timezoneId: "Europe/Berlin", locale: "en-GB" });
  const tab = await newTab(page, `${ana.url}/projects/${project.id}/chat`);
  const sent = message(tab, "see you").locator("time").first();
  await expect(sent).toBeVisible();
  const hours = page.getByRole("checkbox", { name: "Set working hours" });
  await expect(hours).toBeDisabled();
  await page.getByRole("button", { name: "Use Berlin, Europe" }).click();
  await expect(page.getByRole("button", { name: /Time zone/ })).toContainText("Berlin");
  await page.getByRole("button", { name: /Time zone/ }).click();
  await page.getByRole("option", { name: /^Kiritimati/ }).click();
  await expect(page.getByRole("button", { name: /Time zone/ })).toContainText("Kiritimati, Pacific (GMT+14)");
  await page.getByRole("button", { name: /Date and number format/ }).click();
  await page.getByRole("option", { name: /^United States/ }).click();
  await hours.check();
  await page.getByRole("checkbox", { name: "Friday" }).uncheck();
  await page.getByLabel("From").fill("22:00");
  await page.getByLabel("To", { exact: true }).fill("06:30");
  await expect(page.getByText("Until the next day.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save time and region" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();

  await test.step("also in a tab that was open before, and a due date is a day there", async () => {
    const sentAt = new Date((await sent.getAttribute("datetime"))!);
    await expect(sent).toHaveText(new Intl.DateTimeFormat("en-US", { timeStyle: "short", timeZone: ZONE }).format(sentAt));
    const today = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE }).format(new Date());
    await writeTask(ana, project.root_folder_id!, "Print the stems", { assignee: ana, due: today });
    await page.goto(`${ana.url}/tasks`);
    await expect(taskRow(page, "Print the stems")).toContainText("Due today");
  });
  await page.goto(`${ana.url}/settings/profile`);
  await expect(page.getByRole("checkbox", { name: "Friday" })).not.toBeChecked();
  await expect(page.getByLabel("From")).toHaveValue("22:00");
});

test("a tab that was open before saves what is changed in it, and nothing else", async ({ pair: { ana }, open, network }) => {
  const page = await open(ana, "/settings/profile", { timezoneId: "Europe/Berlin", locale: "en-GB" });
  const otherTab = await newTab(page, `${ana.url}/settings/profile`);
  const zone = (tab: Page) => tab.getByRole("button", { name: /Time zone/ });
  await selectOption(zone(page), /^Kiritimati/);
  await page.getByRole("button", { name: "Save time and region" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(zone(otherTab)).toContainText("Kiritimati");
  await otherTab.getByRole("checkbox", { name: "Set working hours" }).check();
  await selectOption(zone(page), /^Berlin/);
  await page.getByRole("button", { name: "Save time and region" }).click();
  await expect(zone(otherTab)).toContainText("Berlin");
  await otherTab.getByRole("button", { name: "Save time and region" }).click();
  await expect(otherTab.getByText("Saved.")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Set working hours" })).toBeChecked();
  expect((await call(ana, getSession)).data.account).toMatchObject({ time_zone: "Europe/Berlin", working_hours: { start: "09:00" } });

  await test.step("name and email too", async () => {
    const about = otherTab.getByRole("textbox", { name: "About" });
    await about.fill("Mixes");
    await page.getByRole("textbox", { name: "Your name" }).fill(`${ana.name} Kovač`);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(otherTab.getByRole("textbox", { name: "Your name" })).toHaveValue(`${ana.name} Kovač`);
    await expect(about).toHaveValue("Mixes");
    await otherTab.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("textbox", { name: "About" })).toHaveValue("Mixes");
    expect((await call(ana, getSession)).data.account).toMatchObject({ username: `${ana.name} Kovač`, user_info: "Mixes" });
  });

  await test.step("what is changed while the request is under way stays a change", async () => {
    const saving = await network.pause(page, "**/api/v2/account", { method: "PATCH" });
    await selectOption(zone(page), /^Kiritimati/);
    await page.getByRole("button", { name: "Save time and region" }).click();
    await expect.poll(() => saving.urls.length).toBe(1);
    await page.getByRole("checkbox", { name: "Set working hours" }).uncheck();
    await saving.end();
    await expect(zone(otherTab)).toContainText("Kiritimati");
    await expect(page.getByRole("checkbox", { name: "Set working hours" })).not.toBeChecked();
    await page.getByRole("button", { name: "Save time and region" }).click();
    await expect(otherTab.getByRole("checkbox", { name: "Set working hours" })).not.toBeChecked();
  });
});

test("who mentions or answers somebody outside their working hours sees it, and their card says what time it is for them", async ({
  pair: { ana, ben, project },
  open,
}) => {
  await setProfile(ben, { days: ALL_DAYS, start: "18:00", end: "23:00" });
  await createMessage(ben, project.id, "take a break");
  const page = await open(ana, `/projects/${project.id}/chat`, { locale: "en-GB" });
  const hint = page.getByText(`for ${ben.name}, outside their working hours.`);
  await expect(message(page, "take a break")).toBeVisible();
  await expect(hint).toHaveCount(0);
  await composer(page).pressSequentially(`@${ben.name.slice(0, 5)}`);
  await page.keyboard.press("Enter");
  await expect(hint).toContainText(/^It's 12:\d\d/);
  // Without the time, which would be read aloud every minute.
  await expect(page.locator("#announcer")).toHaveText(`${ben.name} is outside their working hours.`);
  await composer(page).fill("");
  await expect(hint).toHaveCount(0);
  await openMenu(page, "take a break");
  await menuItem(page, "Reply").click();
  await expect(hint).toBeVisible();

  const card = dialog(page, `Profile of ${ben.name}`);
  await message(page, "take a break").getByRole("button", { name: ben.name }).click();
  await expect(card).toContainText(/12:\d\d local time/);
  await expect(card).toContainText("Mon–Sun, 18:00–23:00");
  await expect(card).toContainText("Outside working hours");
  await expectAccessible(page);
  // The change arrives while the card is open.
  await setProfile(ben, { days: ALL_DAYS, start: "09:00", end: "17:00" });
  await expect(card).not.toContainText("Outside working hours");
  await page.keyboard.press("Escape");
  await expect(card).toHaveCount(0);
  await expect(hint).toHaveCount(0);
});

test("the card opens by keyboard from a message and from the members of a project, on a phone too", async ({ pair: { ana, ben, project }, open }) => {
  await setProfile(ben, { days: ALL_DAYS, start: "18:00", end: "23:00" });
  await createMessage(ben, project.id, "who are you");
  const page = await open(ana, `/projects/${project.id}/chat`, { viewport: { width: 390, height: 844 }, locale: "en-GB" });
  const card = dialog(page, `Profile of ${ben.name}`);
  await message(page, "who are you").getByRole("article").focus();
  await page.keyboard.press("Shift+F10");
  await menuItem(page, "View profile").press("Enter");
  await expect(card.getByRole("link", { name: ben.email })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(message(page, "who are you").getByRole("article")).toBeFocused();
  await page.goto(`${ana.url}/projects/${project.id}/members`);
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: ben.name });
  await expect(row).toContainText(/12:\d\d local time, outside working hours/);
  await row.getByRole("button", { name: ben.name, exact: true }).press("Enter");
  await expect(card).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("main").getByRole("button", { name: ana.name, exact: true }).click();
  await dialog(page, `Profile of ${ana.name}`).getByRole("link", { name: "Edit profile" }).click();
  await expect(page.getByRole("heading", { name: "Time and region" })).toBeVisible();
});
