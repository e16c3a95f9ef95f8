import { composer, dialog, rail, railProject } from "../../fixtures/pages.ts";
import { expect, test, unique } from "../../fixtures/test.ts";

test("a group and a project in it are made, and the project opens", async ({ house: { owner }, open }, info) => {
  const page = await open(owner, "/settings/profile");
  const group = unique("Albums", info.testId);
  await rail(page).getByRole("button", { name: "Create" }).click();
  await page.getByRole("menuitem", { name: "New group" }).click();
  await dialog(page, "New group").getByRole("textbox", { name: "Name" }).fill(group);
  await page.getByRole("button", { name: "Create group" }).click();
  await expect(rail(page).getByRole("heading", { name: group })).toBeVisible();

  const project = unique("Paper Boats", info.testId);
  await page.getByRole("button", { name: `New project in ${group}` }).click();
  const form = dialog(page, "New project");
  await expect(form.getByRole("combobox", { name: "Group" }).locator("option:checked")).toHaveText(group);
  await form.getByRole("textbox", { name: "Name" }).fill(project);
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.getByRole("heading", { level: 1, name: project })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await expect(page.getByRole("region", { name: group }).getByRole("link", { name: project })).toHaveAttribute("aria-current", "page");
});

test("a project without a name is not made, and the field says why", async ({ house: { owner }, open }) => {
  const page = await open(owner, "/settings/profile");
  await rail(page).getByRole("button", { name: "Create" }).click();
  await page.getByRole("menuitem", { name: "New project" }).click();
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(dialog(page, "New project").getByRole("textbox", { name: "Name" })).toHaveAttribute("aria-invalid", "true");
});

test("a project that the service cannot make keeps what was typed and is made once at the second try", async ({ house: { owner }, open, guard }, info) => {
  guard.allow(/status of 500/);
  const page = await open(owner, "/settings/profile");
  const name = unique("Twice", info.testId);
  let failing = true;
  await page.route("**/v1/account/projects/create", async (route) => {
    if (!failing) return route.continue();
    failing = false;
    await route.fetch();
    await route.fulfill({ status: 500, contentType: "application/problem+json", json: { object: "error", status: 500, title: "Internal error" } });
  });
  await rail(page).getByRole("button", { name: "Create" }).click();
  await page.getByRole("menuitem", { name: "New project" }).click();
  await dialog(page, "New project").getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(dialog(page, "New project").getByRole("alert")).toBeVisible();
  await expect(dialog(page, "New project").getByRole("textbox", { name: "Name" })).toHaveValue(name);
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(railProject(page, name)).toHaveCount(1);
});

test("a guest is offered nothing that guests may not do", async ({ newPerson, pair: { project }, open }) => {
  const page = await open(await newPerson("Gus", "guest", [project.id]), `/projects/${project.id}/members`);
  await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();
  await expect(rail(page).getByRole("button", { name: "Create" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add people" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Take / })).toHaveCount(0);
});
