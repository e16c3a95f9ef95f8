import { deleteFiles } from "../../../contract/operations/files-view.ts";
import { updateProject } from "../../../contract/operations/projects.ts";
import { createTasks } from "../../../contract/operations/tasks.ts";
import { createGroup, listTeams } from "../../../contract/operations/teams.ts";
import { call, createProject, type Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { listFavorites } from "../../fixtures/favorites.ts";
import { upload } from "../../fixtures/files.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { composer, dialog, expectSent, message, rail, railProject, send } from "../../fixtures/pages.ts";
import { expect, test, uniqueName } from "../../fixtures/test.ts";

type Page = Awaited<ReturnType<Parameters<Parameters<typeof test>[2]>[0]["open"]>>;

/** Pixels of a project's name in its header on a phone: about 14 letters. */
const MIN_NAME_WIDTH = 140;

/** Opens the menu of a project in the page's header. */
async function chooseInHeader(page: Page, project: string, item: string): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: `Options for ${project}` })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
}
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const firstTeam = async (person: Person) => (await call(person, listTeams, { body: {} })).data[0]!.id;

test("a project is renamed, moved and colored, and others follow", async ({ organization: { owner }, pair: { ana, ben, project }, open }, info) => {
  const group = uniqueName("Albums", info.testId);
  await call(ana, createGroup, { body: { name: group, team_id: await firstTeam(owner) } });
  const page = await open(ana, `/projects/${project.id}/chat`);
  const other = await open(ben, `/projects/${project.id}/chat`);
  await expect(heading(other, project.name)).toBeVisible();
  // An empty group is nobody's but its creator's.
  await expect(rail(page).getByRole("heading", { name: group })).toBeVisible();
  await expect(rail(other).getByRole("heading", { name: group })).toHaveCount(0);

  await railProject(page, project.name).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  const renamed = uniqueName("Nightdrive, deluxe", info.testId);
  await dialog(page, /^Rename/)
    .getByRole("textbox", { name: "Name" })
    .fill(renamed);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(heading(page, renamed)).toBeVisible();
  await expect(heading(other, renamed)).toBeVisible();
  await expect(railProject(other, renamed)).toBeVisible();

  await test.step("into a group, from the keyboard", async () => {
    await railProject(page, renamed).focus();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Move to group…" }).press("Enter");
    const form = dialog(page, /^Move/);
    await form.getByRole("button", { name: "Group" }).click();
    await page.getByRole("option", { name: group }).click();
    await form.getByRole("button", { name: "Move" }).click();
    for (const each of [page, other]) await expect(rail(each).getByRole("region", { name: group }).getByRole("link", { name: renamed })).toBeVisible();
  });

  await test.step("and a color", async () => {
    await chooseInHeader(page, renamed, "Change color…");
    await dialog(page, /^Color of/)
      .getByText("Red", { exact: true })
      .click();
    await page.getByRole("button", { name: "Save" }).click();
    for (const each of [page, other]) await expect(railProject(each, renamed).locator(".hue-dot")).toHaveAttribute("data-hue", "9");
  });

  await test.step("the group is renamed and deleted, and the project stays", async () => {
    await rail(page).getByRole("heading", { name: group }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    await dialog(page, /^Rename/)
      .getByRole("textbox", { name: "Name" })
      .fill(`${group} 2`);
    await page.getByRole("button", { name: "Save" }).click();
    for (const each of [page, other]) await expect(rail(each).getByRole("heading", { name: `${group} 2` })).toBeVisible();
    await rail(page).getByRole("heading", { name: group }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await expect(dialog(page, /^Delete/)).toContainText("Its project stays and moves to “No group”.");
    await page.getByRole("button", { name: "Delete group" }).click();
    for (const each of [page, other]) {
      await expect(rail(each).getByRole("heading", { name: group })).toHaveCount(0);
      await expect(railProject(each, renamed)).toBeVisible();
    }
    await page.getByRole("button", { name: "Undo" }).click();
    for (const each of [page, other])
      await expect(
        rail(each)
          .getByRole("region", { name: `${group} 2` })
          .getByRole("link", { name: renamed }),
      ).toBeVisible();
  });
});

test("an archived project leaves the sidebar, is read-only for everyone, and comes back", async ({ pair: { ana, ben, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  const other = await open(ben, `/projects/${project.id}/chat`);
  await send(page, "Last words");
  await expectSent(page, "Last words");
  await chooseInHeader(page, project.name, "Archive");
  for (const each of [page, other]) {
    await expect(each.getByRole("note")).toContainText("This project is archived and read-only.");
    await expect(railProject(each, project.name)).toHaveCount(0);
    await expect(composer(each)).toHaveCount(0);
    await expect(message(each, "Last words")).toBeVisible();
  }
  await expectAccessible(page);
  await other.getByRole("link", { name: "Archived" }).click();
  const row = other.getByRole("main").getByRole("listitem").filter({ hasText: project.name });
  await expect(row).toContainText("Archived");
  await expectAccessible(other);
  await other.keyboard.press("ControlOrMeta+k");
  await other.getByRole("combobox").fill(project.name);
  await expect(other.getByRole("option", { name: project.name }).first()).toContainText("Archived");
  await other.keyboard.press("Escape");
  await row.getByRole("button", { name: "Unarchive" }).click();
  for (const each of [page, other]) await expect(railProject(each, project.name)).toBeVisible();
  await expect(composer(page)).toBeVisible();
});

test("an archived project offers no comments, tasks, uploads or changes of its files, also outside its own pages", async ({ pair: { ana, project }, open }) => {
  const notes = await upload(ana, project, "notes.txt", "one");
  await call(ana, createTasks, { body: { file_id: notes, tasks: [{ title: "Bounce the stems", assignee_account_id: ana.id }] } });
  const deleted = await upload(ana, project, "gone.txt", "two");
  await call(ana, deleteFiles, { body: { file_ids: [deleted] } });
  await call(ana, updateProject, { params: { project_id: project.id }, body: { archived: true } });

  const page = await open(ana, `/files/${notes}`);
  await expect(page.getByRole("note")).toContainText("This project is archived and read-only.");
  const comments = page.getByRole("region", { name: "Comments" });
  await expect(comments.getByText("No comments yet.")).toBeVisible();
  await expect(comments.getByRole("textbox")).toHaveCount(0);
  const tasks = page.getByRole("region", { name: "Tasks" });
  await expect(tasks.getByRole("checkbox", { name: "Bounce the stems" })).toBeDisabled();
  await expect(tasks.getByRole("textbox")).toHaveCount(0);
  await expectAccessible(page);

  await page.goto(`${ana.url}/tasks`);
  await expect(page.getByRole("checkbox", { name: "Bounce the stems" })).toBeDisabled();
  await expect(page.getByRole("main").getByRole("button", { name: /Bounce the stems/ })).toHaveCount(0);

  await page.goto(`${ana.url}/projects/${project.id}/files/deleted`);
  await expect(page.getByRole("listitem").filter({ hasText: "gone.txt" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Restore gone.txt" })).toHaveCount(0);

  await page.goto(`${ana.url}/projects/${project.id}/files`);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: "Upload files" })).toContainText("This project is archived.");
  await page.keyboard.press("Escape");

  await page.getByRole("note").getByRole("button", { name: "Unarchive" }).click();
  await expect(page.getByText(`“${project.name}” is back in the sidebar.`)).toBeVisible();
  await expect(heading(page, project.name)).toBeFocused();
});

test("deleting a project from one of its files leaves that page, and Undo returns to it", async ({
  pair: { ana, project },
  organization: { owner },
  open,
  pageErrors,
}) => {
  // The page asks for the file until it is left.
  pageErrors.allow(statusError(404));
  const notes = await upload(ana, project, "notes.txt", "one");
  const page = await open(owner, `/files/${notes}`);
  await railProject(page, project.name).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete project" }).click();
  await expect(page).not.toHaveURL(/files/);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page).toHaveURL(new RegExp(`/files/${notes}$`));
  await expect(heading(page, "notes.txt")).toBeVisible();
});

test("a deleted project is gone for everyone at once, and restored with everything in it", async ({
  organization: { owner },
  createPerson,
  open,
  pageErrors,
}, info) => {
  pageErrors.allow(statusError(404));
  const project = await createProject(owner, uniqueName("Paper Moon", info.testId));
  const ben = await createPerson("Ben", "member", [project.id]);
  const page = await open(owner, `/projects/${project.id}/chat`);
  const other = await open(ben, `/projects/${project.id}/chat`);
  await send(page, "Keep this");
  await expect(message(other, "Keep this")).toBeVisible();
  // Somebody else's project offers no deletion.
  await other
    .getByRole("main")
    .getByRole("button", { name: `Options for ${project.name}` })
    .click();
  await expect(other.getByRole("menuitem", { name: "Archive" })).toBeVisible();
  await expect(other.getByRole("menuitem", { name: "Delete…" })).toHaveCount(0);
  await other.keyboard.press("Escape");

  await chooseInHeader(page, project.name, "Delete…");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Delete project" }).click();
  await expect(railProject(page, project.name)).toHaveCount(0);
  await expect(other.getByRole("heading", { name: "Project not found" })).toBeVisible();
  await expect(railProject(other, project.name)).toHaveCount(0);

  await test.step("undone", async () => {
    await expect(page.getByText(`“${project.name}” was deleted.`)).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(heading(page, project.name)).toBeVisible();
    await expect(message(page, "Keep this")).toBeVisible();
    await expect(message(other, "Keep this")).toBeVisible();
  });

  await test.step("and from the list of deleted ones", async () => {
    await chooseInHeader(page, project.name, "Delete…");
    await page.getByRole("button", { name: "Delete project" }).click();
    await page.goto(`${owner.url}/settings/deleted`);
    const row = page.getByRole("main").getByRole("listitem").filter({ hasText: project.name });
    await expect(row).toContainText("30 days left");
    await expectAccessible(page);
    await row.getByRole("button", { name: "Restore" }).click();
    await expect(row).toHaveCount(0);
    await railProject(other, project.name).click();
    await expect(message(other, "Keep this")).toBeVisible();
  });
});

test("on a phone the menu of the project is in its header, whose name has room", async ({ pair: { ana, project }, open }, info) => {
  const page = await open(ana, `/projects/${project.id}/chat`, { viewport: { width: 390, height: 844 } });
  await chooseInHeader(page, project.name, "Add to favorites");
  await expect.poll(() => listFavorites(ana)).toEqual([`project ${project.name}`]);
  await chooseInHeader(page, project.name, "Remove from favorites");
  await expect.poll(() => listFavorites(ana)).toEqual([]);
  await chooseInHeader(page, project.name, "Rename…");
  const renamed = uniqueName("Recordings of the whole summer", info.testId);
  await dialog(page, /^Rename/)
    .getByRole("textbox", { name: "Name" })
    .fill(renamed);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(heading(page, renamed)).toBeVisible();
  expect((await heading(page, renamed).boundingBox())!.width).toBeGreaterThan(MIN_NAME_WIDTH);
  await chooseInHeader(page, renamed, "Archive");
  await expect(page.getByRole("note")).toContainText("This project is archived and read-only.");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(composer(page)).toBeVisible();
});

test("an empty chat offers people and a file, and both lead on", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Drop or choose a file" }).click();
  await (await chooser).setFiles({ name: "rough mix.txt", mimeType: "text/plain", buffer: Buffer.from("mix") });
  await expect(page.getByRole("main").getByText("rough mix.txt").first()).toBeVisible();
  await page.getByRole("link", { name: "Add people" }).click();
  await expect(dialog(page, "Add people")).toBeVisible();
});

test("a change that fails keeps what was typed and says why", async ({ pair: { ana, ben, project }, open, pageErrors }) => {
  pageErrors.allow(statusError(409));
  const page = await open(ana, `/projects/${project.id}/chat`);
  await chooseInHeader(page, project.name, "Rename…");
  const field = dialog(page, /^Rename/).getByRole("textbox", { name: "Name" });
  await field.fill("Kept");
  await call(ben, updateProject, { params: { project_id: project.id }, body: { archived: true } });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(dialog(page, /^Rename/)).toContainText("This project is archived.");
  await expect(field).toHaveValue("Kept");
});
