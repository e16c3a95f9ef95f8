import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { statusButton } from "../../fixtures/statuses.ts";
import { taskCheckbox, loadTasks, writeTask } from "../../fixtures/tasks.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a guest on a file's page sees why the status cannot be changed, closes assigned tasks and edits own ones", async ({
  organization,
  pair: { ana, project },
  createPerson,
  open,
}) => {
  const id = await createProcessedFile(organization, ana, project, "bridge.wav");
  const gus = await createPerson("Gus", "guest", [project.id]);
  await writeTask(ana, id, "Not for guests");
  await writeTask(ana, id, "For the guest", { assignee: gus });
  await writeTask(gus, id, "Guest's own");
  const page = await open(gus, `/files/${id}`);

  await test.step("a guest sees the status and why it cannot be changed", async () => {
    await statusButton(page).click();
    await expect(page.getByRole("menuitem")).toContainText("Guests can't change statuses.");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect(statusButton(page)).toHaveAccessibleName("Status of bridge.wav: No status");
  });

  await test.step("other tasks are visible but cannot be changed", async () => {
    await expect(page.getByRole("button", { name: "More actions for Guest's own" })).toBeVisible();
    await expect(taskCheckbox(page, "Not for guests")).toBeDisabled();
    await expect(page.getByRole("button", { name: "More actions for Not for guests" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "More actions for For the guest" })).toHaveCount(0);
    await taskCheckbox(page, "For the guest").click();
    await expect(taskCheckbox(page, "For the guest")).toBeChecked();
    await expect.poll(async () => (await loadTasks(ana, id)).map(({ closed }) => closed)).toEqual([false, true, false]);
  });
});
