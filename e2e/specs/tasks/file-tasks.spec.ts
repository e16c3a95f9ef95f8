import { expectAccessible } from "../../fixtures/axe.ts";
import { call } from "../../fixtures/api.ts";
import { updateFolder } from "../../../contract/operations/files.ts";
import { updateTask } from "../../../contract/operations/tasks.ts";
import { processed, stand, upload } from "../../fixtures/files.ts";
import { answered } from "../../fixtures/guard.ts";
import { wav } from "../../fixtures/media.ts";
import { dialog } from "../../fixtures/pages.ts";
import { dayFromNow, panel, taskBox, taskRow, tasksOf, writeTask } from "../../fixtures/tasks.ts";
import { expect, test } from "../../fixtures/test.ts";

const CALM = { reducedMotion: "reduce", colorScheme: "dark" } as const;

test("a task is written, given to somebody with a date, and seen by them at once; closing it is seen by who wrote it", async ({
  pair: { ana, ben, project },
  open,
}) => {
  const id = await upload(ana, project, "nightdrive_mix.wav", wav(2));
  const [mine, theirs] = await Promise.all([open(ana, `/files/${id}`), open(ben, `/files/${id}`)]);
  await expect(panel(mine)).toContainText("Nothing is to be done here yet.");
  await expect(panel(theirs)).toContainText("Nothing is to be done here yet.");

  await mine.getByRole("textbox", { name: "New task" }).fill("Bounce the stems");
  await mine.getByLabel("Assigned to").selectOption({ label: ben.name });
  await mine.getByLabel("Due date").fill(dayFromNow(1));
  await mine.getByRole("textbox", { name: "New task" }).press("Enter");
  await expect(taskRow(mine, "Bounce the stems")).toContainText(`For ${ben.name}`);
  await expect(mine.getByRole("textbox", { name: "New task" })).toHaveValue("");
  await expect(mine.getByRole("textbox", { name: "New task" })).toBeFocused();
  await expect(taskRow(theirs, "Bounce the stems")).toContainText("For you");
  await expect(taskRow(theirs, "Bounce the stems")).toContainText("Due tomorrow");
  await expect(panel(theirs)).toContainText("1 open");

  await taskBox(theirs, "Bounce the stems").check();
  await expect(taskRow(theirs, "Bounce the stems")).toContainText(`by ${ben.name}`);
  await expect(mine.getByRole("button", { name: "Show closed (1)" })).toBeVisible();
  await expect(taskBox(mine, "Bounce the stems")).toHaveCount(0);
  expect(await tasksOf(ana, id)).toMatchObject([{ closed: true, closed_by_account_id: ben.id, assignee_account_id: ben.id }]);

  // A wrong press is taken back where it was made.
  await taskBox(theirs, "Bounce the stems").uncheck();
  await expect(taskBox(mine, "Bounce the stems")).not.toBeChecked();
  await expect.poll(async () => (await tasksOf(ana, id))[0]?.closed).toBe(false);
});

test("the same words twice are two tasks; an empty line is none", async ({ pair: { ana, project }, open }) => {
  const id = await upload(ana, project, "verse.wav", wav(2));
  const page = await open(ana, `/files/${id}`);
  const field = page.getByRole("textbox", { name: "New task" });
  for (const count of [1, 2]) {
    await field.fill("Again");
    await field.press("Enter");
    await expect(taskRow(page, "Again")).toHaveCount(count);
  }
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toBeFocused();
  await expect(panel(page)).toContainText("Task is needed.");
  expect(await tasksOf(ana, id)).toHaveLength(2);
});

test("what is being written stays while the file turns out to be a sound", async ({ pair: { ana, project }, house: { service }, open }) => {
  const id = await upload(ana, project, "take.wav", wav(2));
  await processed(ana, id);
  stand(service, id, { kind: "document", transcoding_status: "transcoding" });
  const page = await open(ana, `/files/${id}`);
  await page.getByRole("textbox", { name: "New task" }).fill("Half a sentence");
  await page.getByLabel("Due date").fill(dayFromNow(2));
  await expect(page.getByRole("slider", { name: "Position in take.wav" })).toHaveCount(0);
  stand(service, id, { kind: "audio", transcoding_status: "transcoded" });
  await expect(page.getByRole("slider", { name: "Position in take.wav" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "New task" })).toHaveValue("Half a sentence");
  await expect(page.getByLabel("Due date")).toHaveValue(dayFromNow(2));
});

test("editing, and deleting after being asked", async ({ pair: { ana, ben, project }, open }) => {
  const id = await upload(ana, project, "chorus.wav", wav(2));
  await writeTask(ben, id, "Listen once", { for: ben, due: dayFromNow(-2) });
  const page = await open(ana, `/files/${id}`, CALM);
  await expect(taskRow(page, "Listen once")).toContainText("Overdue since");
  await page.getByRole("button", { name: "More for Listen once" }).click();
  await page.getByRole("menuitem", { name: "Edit…" }).click();
  const edit = dialog(page, "Edit task");
  await expectAccessible(page);
  await edit.getByRole("textbox", { name: "Task" }).fill("Listen twice");
  await edit.getByLabel("Assigned to").selectOption({ label: "Nobody" });
  await edit.getByLabel("Due date").fill("");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toBeHidden();
  await expect(taskRow(page, "Listen twice")).not.toContainText(/Due|Overdue|For /);
  expect(await tasksOf(ana, id)).toMatchObject([{ title: "Listen twice", assignee_account_id: null, due_date: null, created_by_account_id: ben.id }]);

  await page.getByRole("button", { name: "More for Listen twice" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const ask = dialog(page, "Delete this task?");
  await expect(ask.getByRole("button", { name: "Cancel" }).first()).toBeFocused();
  await ask.getByRole("button", { name: "Delete" }).click();
  await expect(taskRow(page, "Listen twice")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Tasks" })).toBeFocused();
  expect(await tasksOf(ana, id)).toEqual([]);
});

test("a template is kept from a list and loaded onto another file; a protected folder says why not", async ({
  pair: { ana, project },
  house: { owner },
  guard,
  open,
}) => {
  guard.allow(answered(409));
  const [from, to] = [await upload(ana, project, "single.wav", wav(2)), await upload(ana, project, "album.wav", wav(2))];
  const name = `Masters ${project.id}`;
  await writeTask(ana, from, "Check the fade");
  await writeTask(ana, from, "Write the ISRC", { due: dayFromNow(3) });
  const page = await open(ana, `/files/${from}`, CALM);
  await page.getByRole("button", { name: "Task list" }).click();
  await page.getByRole("menuitem", { name: "Save as template…" }).click();
  await dialog(page, "Save as template").getByRole("textbox", { name: "Name" }).fill(name);
  await expectAccessible(page);
  await dialog(page, "Save as template").getByRole("button", { name: "Save" }).click();
  await expect(dialog(page, "Save as template")).toBeHidden();

  await page.goto(`${ana.url}/files/${to}`);
  await page.getByRole("button", { name: "Task list" }).click();
  await page.getByRole("menuitem", { name: "Load from template…" }).click();
  const templates = dialog(page, "Load from template");
  await expect(templates.getByRole("listitem").filter({ hasText: "Delivery" })).toContainText("5 tasks");
  await expectAccessible(page);
  await call(owner, updateFolder, { body: { file_id: project.root_folder_id ?? 0, task_load_protection: true } });
  await templates.getByRole("button", { name: `Load ${name}` }).click();
  await expect(templates.getByRole("alert")).toContainText("is protected from loading tasks");
  await call(owner, updateFolder, { body: { file_id: project.root_folder_id ?? 0, task_load_protection: false } });
  await templates.getByRole("button", { name: `Load ${name}` }).click();
  await expect(templates).toBeHidden();
  await expect(panel(page)).toContainText("2 open");
  const [fade, isrc] = await tasksOf(ana, to);
  expect([fade?.title, isrc?.title]).toEqual(["Check the fade", "Write the ISRC"]);
  expect(fade?.due_date).toBeNull();
  expect(isrc?.due_date).toMatch(/T00:00:00.000Z$/);

  await page.getByRole("button", { name: "Task list" }).click();
  await page.getByRole("menuitem", { name: "Load from template…" }).click();
  await templates.getByRole("button", { name: `Delete template ${name}` }).click();
  await dialog(page, `Delete “${name}”?`).getByRole("button", { name: "Delete" }).click();
  await expect(templates.getByRole("listitem").filter({ hasText: name })).toHaveCount(0);
});

test("a guest closes what is theirs and edits what they wrote; the rest is shown, not offered", async ({ pair: { ana, project }, newPerson, open }) => {
  const id = await upload(ana, project, "bridge.wav", wav(2));
  const gus = await newPerson("Gus", "guest", [project.id]);
  await writeTask(ana, id, "Not for guests");
  await writeTask(ana, id, "For the guest", { for: gus });
  await writeTask(gus, id, "Guest's own");
  const page = await open(gus, `/files/${id}`);
  await expect(taskBox(page, "Not for guests")).toBeDisabled();
  await expect(page.getByRole("button", { name: "More for Not for guests" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "More for For the guest" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "More for Guest's own" })).toBeVisible();
  await taskBox(page, "For the guest").check();
  await expect.poll(async () => (await tasksOf(ana, id)).map(({ closed }) => closed)).toEqual([false, true, false]);
});

test("a press that the service refuses is taken back, with the reason", async ({ pair: { ana, project }, guard, open }) => {
  guard.allow(answered(409));
  const id = await upload(ana, project, "intro.wav", wav(2));
  await writeTask(ana, id, "Refused");
  const page = await open(ana, `/files/${id}`);
  await page.route("**/api/v2/tasks/*", (route) =>
    route.fulfill({ status: 409, contentType: "application/problem+json", json: { object: "error", status: 409, title: "Conflict", detail: "Not now." } }),
  );
  await taskBox(page, "Refused").click();
  await expect(page.getByRole("alert").filter({ hasText: "Not now." })).toBeVisible();
  await expect(taskBox(page, "Refused")).not.toBeChecked();
});

test("a folder's page shows what is to be done in it, live; a service without tasks shows nothing of them", async ({
  pair: { ana, ben, project },
  open,
  guard,
}) => {
  guard.allow(answered(404));
  const id = await upload(ana, project, "outro.wav", wav(2));
  const root = project.root_folder_id ?? 0;
  await writeTask(ana, root, "Order the artwork");
  const page = await open(ana, `/files/${root}`);
  await expect(taskBox(page, "Order the artwork")).toBeVisible();
  const made = await writeTask(ben, id, "Trim the tail");
  await expect(taskRow(page, "Trim the tail").getByRole("link", { name: "outro.wav" })).toHaveAttribute("href", `/files/${id}`);
  await call(ben, updateTask, { params: { task_id: made.id }, body: { closed: true } });
  await expect(page.getByRole("button", { name: "Show closed (1)" })).toBeVisible();

  await page.route("**/v1/tasks/by_folder", (route) => route.fulfill({ status: 404, json: { object: "error", status: 404, title: "Not found" } }));
  await processed(ana, id);
  await page.goto(`${ana.url}/files/${id}`);
  await expect(page.getByRole("heading", { name: "About the file" })).toBeVisible();
  await expect(panel(page)).toHaveCount(0);
});

test("accessible with tasks in every state, and nothing sticks out at 320 pixels", async ({ pair: { ana, ben, project }, open }) => {
  const id = await upload(ana, project, "final.wav", wav(3));
  await processed(ana, id);
  await writeTask(ana, id, `A task with ${"a very long description ".repeat(8)}`, { for: ben, due: dayFromNow(-3) });
  await writeTask(ana, id, "x".repeat(200), { for: ana, due: dayFromNow(30) });
  const closed = await writeTask(ben, id, "Done already");
  await call(ben, updateTask, { params: { task_id: closed.id }, body: { closed: true } });
  const page = await open(ana, `/files/${id}`, CALM);
  await page.getByRole("button", { name: "Show closed (1)" }).click();
  await expect(taskBox(page, "Done already")).toBeChecked();
  await page.getByRole("textbox", { name: "New task" }).fill("One more");
  await expect(page.getByLabel("Due date")).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
