import { updateFolder } from "../../../contract/operations/files.ts";
import { updateTask } from "../../../contract/operations/tasks.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { dateFromToday } from "../../fixtures/dates.ts";
import { setFileState } from "../../fixtures/files.ts";
import { expect, test } from "../../fixtures/network.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { dialog, selectOption } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { tasksPanel, taskCheckbox, taskRow, loadTasks, writeTask } from "../../fixtures/tasks.ts";

test("tasks of a file are edited and deleted, created, assigned and closed, and the other person sees it immediately", async ({
  organization,
  pair: { ana, ben, project },
  open,
  network,
  pageErrors,
}) => {
  const id = await createProcessedFile(organization, ana, project, "nightdrive_mix.wav");
  const tasksTitled = async (title: string) => (await loadTasks(ana, id)).filter((task) => task.title === title);
  const [anaPage, benPage] = await Promise.all([open(ana, `/files/${id}`), open(ben, `/files/${id}`)]);
  const field = anaPage.getByRole("textbox", { name: "New task" });
  for (const page of [anaPage, benPage]) await expect(tasksPanel(page)).toContainText("No tasks yet.");

  await test.step("a task is edited, and deleted after a confirmation", async () => {
    await writeTask(ben, id, "Listen once", { assignee: ben, due: dateFromToday(-2) });
    await expect(taskRow(anaPage, "Listen once")).toContainText("Overdue since");
    await anaPage.getByRole("button", { name: "More actions for Listen once" }).click();
    await anaPage.getByRole("menuitem", { name: "Edit…" }).click();
    const editDialog = dialog(anaPage, "Edit task");
    await expect(editDialog.getByRole("textbox", { name: "Task" })).toHaveValue("Listen once");
    await expectAccessible(anaPage);
    await editDialog.getByRole("textbox", { name: "Task" }).fill("Listen twice");
    await selectOption(editDialog.getByRole("button", { name: "Assigned to" }), "Unassigned");
    await editDialog.getByLabel("Due date").fill("");
    await editDialog.getByRole("button", { name: "Save" }).click();
    await expect(editDialog).toBeHidden();
    await expect(taskRow(anaPage, "Listen twice")).not.toContainText(/Due|Overdue|For /);
    expect(await loadTasks(ana, id)).toMatchObject([{ title: "Listen twice", assignee_account_id: null, due_date: null, created_by_account_id: ben.id }]);

    await anaPage.getByRole("button", { name: "More actions for Listen twice" }).click();
    await anaPage.getByRole("menuitem", { name: "Delete…" }).click();
    const confirmDialog = dialog(anaPage, "Delete this task?");
    await expect(confirmDialog.getByRole("button", { name: "Cancel" }).first()).toBeFocused();
    await confirmDialog.getByRole("button", { name: "Delete" }).click();
    await expect(taskRow(anaPage, "Listen twice")).toHaveCount(0);
    await expect(anaPage.getByRole("heading", { name: "Tasks" })).toBeFocused();
    expect(await loadTasks(ana, id)).toEqual([]);
  });

  await test.step("a task is assigned with a due date, and its author sees it closed", async () => {
    await field.fill("Bounce the stems");
    await selectOption(anaPage.getByRole("button", { name: "Assigned to" }), ben.name);
    await anaPage.getByLabel("Due date").fill(dateFromToday(1));
    await field.press("Enter");
    await expect(taskRow(anaPage, "Bounce the stems")).toContainText(`For ${ben.name}`);
    await expect(field).toHaveValue("");
    await expect(field).toBeFocused();
    await expect(taskRow(benPage, "Bounce the stems")).toContainText("For you");
    await expect(taskRow(benPage, "Bounce the stems")).toContainText("Due tomorrow");
    await expect(tasksPanel(benPage)).toContainText("1 open");

    await taskCheckbox(benPage, "Bounce the stems").click();
    await expect(taskRow(benPage, "Bounce the stems")).toContainText(`by ${ben.name}`);
    await expect(anaPage.getByRole("button", { name: "Show completed (1)" })).toBeVisible();
    await expect(taskCheckbox(anaPage, "Bounce the stems")).toHaveCount(0);
    expect(await loadTasks(ana, id)).toMatchObject([{ closed: true, closed_by_account_id: ben.id, assignee_account_id: ben.id }]);

    // A second press undoes an accidental one.
    await taskCheckbox(benPage, "Bounce the stems").click();
    await expect(taskCheckbox(anaPage, "Bounce the stems")).not.toBeChecked();
    await expect.poll(async () => (await loadTasks(ana, id))[0]?.closed).toBe(false);
  });

  await test.step("the same text twice creates two tasks, and an empty line creates none", async () => {
    for (const count of [1, 2]) {
      await field.fill("Again");
      await field.press("Enter");
      await expect(taskRow(anaPage, "Again")).toHaveCount(count);
      // The live event may show the task before the response empties the field.
      await expect(field).toHaveValue("");
    }
    await anaPage.getByRole("button", { name: "Add", exact: true }).click();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toBeFocused();
    await expect(tasksPanel(anaPage)).toContainText("Task is required.");
    expect(await tasksTitled("Again")).toHaveLength(2);
    expect(await loadTasks(ana, id)).toHaveLength(3);
  });

  await test.step("text typed while a task is being added stays, and so does the focus", async () => {
    const announcer = anaPage.locator("[aria-live=polite]");
    const addTask = async (title: string, whileAdding: () => Promise<unknown>) => {
      const paused = await network.pause(anaPage, "**/v1/tasks/create");
      await field.fill(title);
      await field.press("Enter");
      await expect.poll(() => paused.urls.length).toBe(1);
      await whileAdding();
      await paused.end();
      await expect(announcer).toHaveText(`Added: ${title}`);
    };
    await addTask("Order the tape", () => field.fill("Book the room"));
    await expect(field).toHaveValue("Book the room");
    const menuButton = tasksPanel(anaPage).getByRole("button", { name: "Task list" });
    await addTask("Book the room", () => menuButton.focus());
    await expect(field).toHaveValue("");
    await expect(menuButton).toBeFocused();
  });

  await test.step("a change that the service rejects is rolled back, with the reason", async () => {
    pageErrors.allow(statusError(409));
    const interception = await network.replyWithProblem(anaPage, "**/api/v2/tasks/*", 409, "Not now.");
    await taskCheckbox(anaPage, "Bounce the stems").click();
    await expect(anaPage.getByRole("alert").filter({ hasText: "Not now." })).toBeVisible();
    await expect(taskCheckbox(anaPage, "Bounce the stems")).not.toBeChecked();
    await interception.end();
  });

  await test.step("tasks in every state are accessible, and nothing overflows at 320 pixels", async () => {
    await writeTask(ana, id, `A task with ${"a very long description ".repeat(8)}`, { assignee: ben, due: dateFromToday(-3) });
    await writeTask(ana, id, "x".repeat(200), { assignee: ana, due: dateFromToday(30) });
    const closed = await writeTask(ben, id, "Done already");
    await call(ben, updateTask, { params: { task_id: closed.id }, body: { closed: true } });
    await anaPage.getByRole("button", { name: "Show completed (1)" }).click();
    await expect(taskCheckbox(anaPage, "Done already")).toBeChecked();
    await field.fill("One more");
    await expect(anaPage.getByLabel("Due date")).toBeVisible();
    await expectAccessible(anaPage);
    await anaPage.setViewportSize({ width: 320, height: 640 });
    await expect.poll(() => anaPage.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
});

test("the focus goes to the heading although a live event removes the deleted task before the response arrives", async ({
  organization,
  pair: { ana, project },
  open,
  network,
}) => {
  const id = await createProcessedFile(organization, ana, project, "nightdrive_mix.wav");
  await writeTask(ana, id, "Listen once");
  const page = await open(ana, `/files/${id}`);
  const held = await network.holdResponse(page, "**/tasks/*", { method: "DELETE" });
  await page.getByRole("button", { name: "More actions for Listen once" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await dialog(page, "Delete this task?").getByRole("button", { name: "Delete" }).click();
  await expect(taskRow(page, "Listen once")).toHaveCount(0);
  await held.end();
  await expect(page.getByRole("heading", { name: "Tasks" })).toBeFocused();
});

test("a template is saved from a list and loaded onto another file; a protected folder rejects it and shows why", async ({
  pair: { ana, project },
  organization,
  pageErrors,
  open,
}) => {
  pageErrors.allow(statusError(409));
  const [sourceId, targetId] = [
    await createProcessedFile(organization, ana, project, "single.wav"),
    await createProcessedFile(organization, ana, project, "album.wav"),
  ];
  const name = `Masters ${project.id}`;
  await writeTask(ana, sourceId, "Check the fade");
  await writeTask(ana, sourceId, "Write the ISRC", { due: dateFromToday(3) });
  const page = await open(ana, `/files/${sourceId}`);
  await page.getByRole("button", { name: "Task list" }).click();
  await page.getByRole("menuitem", { name: "Save as template…" }).click();
  await dialog(page, "Save as template").getByRole("textbox", { name: "Name" }).fill(name);
  await expectAccessible(page);
  await dialog(page, "Save as template").getByRole("button", { name: "Save" }).click();
  await expect(dialog(page, "Save as template")).toBeHidden();

  await page.goto(`${ana.url}/files/${targetId}`);
  await page.getByRole("button", { name: "Task list" }).click();
  await page.getByRole("menuitem", { name: "Load from template…" }).click();
  const templates = dialog(page, "Load from template");
  await expect(templates.getByRole("listitem").filter({ hasText: "Delivery" })).toContainText("5 tasks");
  await expectAccessible(page);
  await call(organization.owner, updateFolder, { body: { file_id: project.root_folder_id ?? 0, task_load_protection: true } });
  await templates.getByRole("button", { name: `Load ${name}` }).click();
  await expect(templates.getByRole("alert")).toContainText("is protected from task templates");
  await call(organization.owner, updateFolder, { body: { file_id: project.root_folder_id ?? 0, task_load_protection: false } });
  await templates.getByRole("button", { name: `Load ${name}` }).click();
  await expect(templates).toBeHidden();
  await expect(tasksPanel(page)).toContainText("2 open");
  const [fade, isrc] = await loadTasks(ana, targetId);
  expect([fade?.title, isrc?.title]).toEqual(["Check the fade", "Write the ISRC"]);
  expect(fade?.due_date).toBeNull();
  expect(isrc?.due_date).toMatch(/T00:00:00.000Z$/);

  await page.getByRole("button", { name: "Task list" }).click();
  await page.getByRole("menuitem", { name: "Load from template…" }).click();
  await templates.getByRole("button", { name: `Delete template ${name}` }).click();
  await dialog(page, `Delete “${name}”?`).getByRole("button", { name: "Delete" }).click();
  await expect(templates.getByRole("listitem").filter({ hasText: name })).toHaveCount(0);
});

test("a folder's page shows its tasks live and leads to their files; on a service without tasks it shows none", async ({
  organization,
  pair: { ana, ben, project },
  open,
  network,
  pageErrors,
}) => {
  const id = await createProcessedFile(organization, ana, project, "outro.wav");
  setFileState(organization.service, id, { kind: "document", transcoding_status: "transcoding" });
  const root = project.root_folder_id ?? 0;
  await writeTask(ana, root, "Order the artwork");
  const page = await open(ana, `/files/${root}`);

  await test.step("the tasks of a folder show live", async () => {
    await expect(taskCheckbox(page, "Order the artwork")).toBeVisible();
    const created = await writeTask(ben, id, "Trim the tail");
    await expect(taskRow(page, "Trim the tail").getByRole("link", { name: "outro.wav" })).toHaveAttribute("href", `/files/${id}`);
    await writeTask(ben, id, "Leave the head");
    await call(ben, updateTask, { params: { task_id: created.id }, body: { closed: true } });
    await expect(page.getByRole("button", { name: "Show completed (1)" })).toBeVisible();
  });

  await test.step("a task that is being typed stays when the file turns out to be audio", async () => {
    await taskRow(page, "Leave the head").getByRole("link", { name: "outro.wav" }).click();
    await expect(page.getByRole("heading", { name: "outro.wav" })).toBeVisible();
    await page.getByRole("textbox", { name: "New task" }).fill("Half a sentence");
    const due = dateFromToday(2);
    await page.getByLabel("Due date").fill(due);
    await expect(page.getByRole("slider", { name: "Position in outro.wav" })).toHaveCount(0);
    setFileState(organization.service, id, { kind: "audio", transcoding_status: "transcoded" });
    await expect(page.getByRole("slider", { name: "Position in outro.wav" })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "New task" })).toHaveValue("Half a sentence");
    await expect(page.getByLabel("Due date")).toHaveValue(due);
  });

  await test.step("on a service without tasks the page shows none", async () => {
    pageErrors.allow(statusError(404));
    await network.reply(page, "**/v1/tasks/by_folder", { status: 404, json: { object: "error", status: 404, title: "Not found" } });
    const tasksResponse = page.waitForResponse("**/v1/tasks/by_folder");
    await page.reload();
    await expect(page.getByRole("heading", { name: "About this file" })).toBeVisible();
    await tasksResponse;
    await expect(tasksPanel(page)).toHaveCount(0);
  });
});
