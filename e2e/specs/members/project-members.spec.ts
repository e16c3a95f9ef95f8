import { expectAccessible } from "../../fixtures/axe.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { composer, dialog, rail, railProject } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/network.ts";

test("a person is found and added, and the project appears for them; a member leaves", async ({ createPerson, pair: { ana, project }, open, pageErrors }) => {
  const cleo = await createPerson("Cleo");
  const cleoPage = await open(cleo, "/settings/profile");
  await expect(cleoPage.getByRole("heading", { name: "Profile" })).toBeVisible();
  const page = await open(ana, `/projects/${project.id}/members`);
  await page.getByRole("button", { name: "Add people" }).first().click();
  await page.getByRole("searchbox", { name: "Search people" }).fill(cleo.name);
  const addDialog = dialog(page, "Add people");
  await expect(addDialog.getByRole("button", { name: /^Add / })).toHaveCount(1);
  await expectAccessible(page);
  await addDialog.getByRole("button", { name: `Add ${cleo.name}` }).click();
  await expect(addDialog.getByText("Added", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: cleo.name })).toBeVisible();

  await expect(railProject(cleoPage, project.name)).toBeVisible();
  await test.step("a member leaves a project", async () => {
    pageErrors.allow(statusError(404));
    await page.getByRole("button", { name: "Leave project" }).click();
    await dialog(page, "Leave this project?").getByRole("button", { name: "Leave project" }).click();
    await expect(railProject(page, project.name)).toHaveCount(0);
    await expect(page.getByRole("main").getByText("No projects yet")).toBeVisible();
  });
});

test("a member who leaves a project gets to the start page although the live event arrives before the response", async ({
  pair: { ana, project },
  open,
  network,
  pageErrors,
}) => {
  pageErrors.allow(statusError(404));
  const page = await open(ana, `/projects/${project.id}/members`);
  const held = await network.holdResponse(page, "**/members/*", { method: "DELETE" });
  await page.getByRole("button", { name: "Leave project" }).click();
  await dialog(page, "Leave this project?").getByRole("button", { name: "Leave project" }).click();
  await expect(page.getByRole("heading", { name: "Project not found" })).toBeVisible();
  await held.end();
  await expect(page.getByRole("main").getByText("No projects yet")).toBeVisible();
});

test("a guest has no actions beyond the role, and loses the project when removed, even while it is open", async ({
  createPerson,
  pair: { ana, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(statusError(404));
  const gus = await createPerson("Gus", "guest", [project.id]);
  const guestPage = await open(gus, `/projects/${project.id}/members`);
  await expect(guestPage.getByRole("heading", { name: "Members" })).toBeVisible();
  await expect(guestPage.getByRole("main").getByRole("listitem").filter({ hasText: ana.name })).toBeVisible();
  await expect(rail(guestPage).getByRole("button", { name: "Create" })).toHaveCount(0);
  await expect(guestPage.getByRole("button", { name: "Add people" })).toHaveCount(0);
  await expect(guestPage.getByRole("button", { name: /^Remove / })).toHaveCount(0);
  await railProject(guestPage, project.name).click();
  await expect(composer(guestPage)).toBeVisible();
  const admin = await createPerson("Ada", "admin", [project.id]);
  const page = await open(admin, `/projects/${project.id}/members`);
  await expect(page.getByRole("button", { name: `More for ${gus.name}` })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: `More for ${gus.name}` }).click();
  await page.getByRole("menuitem", { name: "Remove from project" }).click();
  await dialog(page, `Remove ${gus.name} from this project?`).getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: gus.name })).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: ana.name })).toBeVisible();
  await expect(railProject(guestPage, project.name)).toHaveCount(0);
  await expect(composer(guestPage)).toHaveCount(0);
});
