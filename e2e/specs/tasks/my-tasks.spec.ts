import { updateTask } from "../../../contract/operations/tasks.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { call } from "../../fixtures/api.ts";
import { upload } from "../../fixtures/files.ts";
import { wav } from "../../fixtures/media.ts";
import { rail } from "../../fixtures/pages.ts";
import { dayFromNow, taskBox, taskRow, tasksOf, writeTask } from "../../fixtures/tasks.ts";
import { expect, test } from "../../fixtures/test.ts";

const CALM = { reducedMotion: "reduce", colorScheme: "dark" } as const;

test("what is mine over all projects, by when it is due; what I am given appears by itself", async ({ pair: { ana, ben, project }, open }) => {
  const id = await upload(ana, project, "nightdrive_mix.wav", wav(2));
  const page = await open(ben, "/");
  await rail(page).getByRole("link", { name: "My tasks" }).click();
  await expect(page.getByRole("heading", { name: "My tasks" })).toBeFocused();
  await expect(page.getByText("Nothing to do")).toBeVisible();
  await expectAccessible(page);

  await writeTask(ana, id, "Some day", { for: ben });
  await writeTask(ana, id, "Late", { for: ben, due: dayFromNow(-1) });
  await writeTask(ana, id, "This week", { for: ben, due: dayFromNow(4) });
  await writeTask(ana, id, "Next month", { for: ben, due: dayFromNow(40) });
  const moved = await writeTask(ana, id, "Not Ben's", { for: ana });
  for (const [section, title] of [
    ["Overdue", "Late"],
    ["Next 7 days", "This week"],
    ["Later", "Next month"],
    ["Without a date", "Some day"],
  ] as const)
    await expect(page.getByRole("region", { name: section }).getByRole("checkbox", { name: title })).toBeVisible();
  await expect(page.getByText("4 tasks to do")).toBeVisible();
  await expect(taskRow(page, "Late").getByRole("link", { name: "nightdrive_mix.wav" })).toHaveAttribute("href", `/files/${id}`);
  await expect(taskRow(page, "Late")).toContainText(project.name);

  await call(ana, updateTask, { params: { task_id: moved.id }, body: { assignee_account_id: ben.id } });
  await expect(taskBox(page, "Not Ben's")).toBeVisible();
  await call(ana, updateTask, { params: { task_id: moved.id }, body: { assignee_account_id: null } });
  await expect(taskBox(page, "Not Ben's")).toHaveCount(0);
});

test("closed by key, taken back, and found among the closed ones later", async ({ pair: { ana, ben, project }, open }) => {
  const id = await upload(ana, project, "verse.wav", wav(2));
  await writeTask(ana, id, "Press space", { for: ben });
  await writeTask(ana, id, "Left open", { for: ben });
  const page = await open(ben, "/tasks", CALM);
  await taskBox(page, "Press space").focus();
  await page.keyboard.press("Space");
  await expect.poll(async () => (await tasksOf(ana, id))[0]?.closed).toBe(true);
  await expect(page.getByText("1 task to do")).toBeVisible();
  await expect(taskBox(page, "Press space")).toBeChecked();
  await expect(taskBox(page, "Press space")).toBeFocused();
  await page.keyboard.press("Space");
  await expect.poll(async () => (await tasksOf(ana, id))[0]?.closed).toBe(false);
  await page.keyboard.press("Space");
  await expect.poll(async () => (await tasksOf(ana, id))[0]?.closed).toBe(true);

  await page.reload();
  await expect(taskBox(page, "Left open")).toBeVisible();
  await expect(taskBox(page, "Press space")).toHaveCount(0);
  await page.getByRole("button", { name: "Show closed tasks" }).click();
  const closed = page.getByRole("region", { name: "Closed" });
  await expect(closed.getByRole("checkbox", { name: "Press space" })).toBeChecked();
  await expect(closed).toContainText(`by ${ben.name}`);
  await expectAccessible(page);
  await closed.getByRole("checkbox", { name: "Press space" }).click();
  await expect(page.getByRole("region", { name: "Without a date" }).getByRole("checkbox", { name: "Press space" })).not.toBeChecked();
  await expect(page.getByRole("heading", { name: "My tasks" })).toBeFocused();
});

test("by the palette, and on a phone", async ({ pair: { ana, ben, project }, open }) => {
  const id = await upload(ana, project, "chorus.wav", wav(2));
  await writeTask(ana, id, `For a small screen ${"x".repeat(80)}`, { for: ben, due: dayFromNow(0) });
  const page = await open(ben, "/settings/profile");
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("my tasks");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/tasks$/);
  await expect(page.getByText("Due today")).toBeVisible();
  const phone = await open(ben, "/", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await phone.getByRole("navigation", { name: "Talkback" }).getByRole("link", { name: "Projects" }).click();
  await rail(phone).getByRole("link", { name: "My tasks" }).click();
  await expect(phone.getByText("Due today")).toBeVisible();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
