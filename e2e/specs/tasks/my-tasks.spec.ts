import { updateTask } from "../../../contract/operations/tasks.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { dateFromToday } from "../../fixtures/dates.ts";
import { rail } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { taskCheckbox, taskRow, loadTasks, writeTask } from "../../fixtures/tasks.ts";
import { expect, test } from "../../fixtures/test.ts";

test("My tasks shows assigned tasks of all projects by due date, live; they are closed by keyboard and found among the closed ones", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ana, project, "nightdrive_mix.wav");
  const isClosed = async (title: string) => (await loadTasks(ana, id)).find((task) => task.title === title)?.closed;
  const page = await open(ben, "/");

  await test.step("without tasks, My tasks shows that there are none", async () => {
    await rail(page).getByRole("link", { name: "My tasks" }).click();
    await expect(page.getByRole("heading", { name: "My tasks" })).toBeFocused();
    await expect(page.getByText("No open tasks")).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("assigned tasks appear automatically, by due date", async () => {
    await writeTask(ana, id, "Some day", { assignee: ben });
    await writeTask(ana, id, "Late", { assignee: ben, due: dateFromToday(-1) });
    await writeTask(ana, id, "This week", { assignee: ben, due: dateFromToday(4) });
    await writeTask(ana, id, "Next month", { assignee: ben, due: dateFromToday(40) });
    const reassigned = await writeTask(ana, id, "Not Ben's", { assignee: ana });
    for (const [section, title] of [
      ["Overdue", "Late"],
      ["Next 7 days", "This week"],
      ["Later", "Next month"],
      ["No due date", "Some day"],
    ] as const)
      await expect(page.getByRole("region", { name: section }).getByRole("checkbox", { name: title })).toBeVisible();
    await expect(page.getByText("4 open tasks")).toBeVisible();
    await expect(taskRow(page, "Late").getByRole("link", { name: "nightdrive_mix.wav" })).toHaveAttribute("href", `/files/${id}`);
    await expect(taskRow(page, "Late")).toContainText(project.name);

    await call(ana, updateTask, { params: { task_id: reassigned.id }, body: { assignee_account_id: ben.id } });
    await expect(taskCheckbox(page, "Not Ben's")).toBeVisible();
    await call(ana, updateTask, { params: { task_id: reassigned.id }, body: { assignee_account_id: null } });
    await expect(taskCheckbox(page, "Not Ben's")).toHaveCount(0);
  });

  await test.step("a task is closed by keyboard, reopened, closed again later and found among the closed ones", async () => {
    await taskCheckbox(page, "Some day").focus();
    await page.keyboard.press("Space");
    await expect.poll(() => isClosed("Some day")).toBe(true);
    await expect(page.getByText("3 open tasks")).toBeVisible();
    await expect(taskCheckbox(page, "Some day")).toBeChecked();
    await expect(taskCheckbox(page, "Some day")).toBeFocused();
    await page.keyboard.press("Space");
    await expect.poll(() => isClosed("Some day")).toBe(false);
    await expect(taskCheckbox(page, "Some day")).not.toBeChecked();
    await page.keyboard.press("Space");
    await expect.poll(() => isClosed("Some day")).toBe(true);

    await page.reload();
    await expect(taskCheckbox(page, "Late")).toBeVisible();
    await expect(taskCheckbox(page, "Some day")).toHaveCount(0);
    await page.getByRole("button", { name: "Show completed" }).click();
    const closed = page.getByRole("region", { name: "Completed" });
    await expect(closed.getByRole("checkbox", { name: "Some day" })).toBeChecked();
    await expect(closed).toContainText(`by ${ben.name}`);
    await expectAccessible(page);
    await closed.getByRole("checkbox", { name: "Some day" }).click();
    await expect(page.getByRole("region", { name: "No due date" }).getByRole("checkbox", { name: "Some day" })).not.toBeChecked();
    await expect(page.getByRole("heading", { name: "My tasks" })).toBeFocused();
  });
});

test("My tasks opens from the palette and on a phone, where neither it nor a file's page overflows", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ana, project, `${"a very long name of a bounce ".repeat(6)}.wav`);
  await writeTask(ana, id, `For a small screen ${"x".repeat(80)}`, { assignee: ben, due: dateFromToday(0) });

  await test.step("the palette opens My tasks", async () => {
    const page = await open(ben, "/settings/profile");
    await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("my tasks");
    await expect(page.getByRole("option", { name: /My tasks/ }).first()).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/tasks$/);
    await expect(page.getByText("Due today")).toBeVisible();
  });

  await test.step("a phone shows My tasks and a file's page without overflow", async () => {
    const size = { width: 390, height: 844 };
    const phone = await open(ben, "/", { viewport: size, hasTouch: true, isMobile: true });
    await phone.getByRole("navigation", { name: "Talkback" }).getByRole("link", { name: "Projects" }).click();
    await rail(phone).getByRole("link", { name: "My tasks" }).click();
    await expect(phone.getByText("Due today")).toBeVisible();
    const width = () => phone.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(width).toBeLessThanOrEqual(390);

    await phone.locator(`a[href="/files/${id}"]`).first().click();
    await phone.setViewportSize({ width: 320, height: 640 });
    await expect(phone.locator('[data-peaks="fine"]')).toBeVisible();
    await expect.poll(width).toBeLessThanOrEqual(320);
    // Restores the viewport for the next test, which reuses this page.
    await phone.setViewportSize(size);
  });
});
