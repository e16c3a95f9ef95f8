import { expectAccessible } from "../../fixtures/axe.ts";
import { answered } from "../../fixtures/guard.ts";
import { composer, dialog, rail, railProject } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("somebody is found and added, and sees the project by itself; a member leaves", async ({ newPerson, pair: { ana, project }, open, guard }) => {
  const cleo = await newPerson("Cleo");
  const hers = await open(cleo, "/settings/profile");
  await expect(hers.getByRole("heading", { name: "Profile" })).toBeVisible();
  const page = await open(ana, `/projects/${project.id}/members`);
  await page.getByRole("button", { name: "Add people" }).first().click();
  await page.getByRole("searchbox", { name: "Search people" }).fill(cleo.name);
  const add = dialog(page, "Add people");
  await expect(add.getByRole("button", { name: /^Add / })).toHaveCount(1);
  await expectAccessible(page);
  await add.getByRole("button", { name: `Add ${cleo.name}` }).click();
  await expect(add.getByText("Added", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: cleo.name })).toBeVisible();

  await expect(railProject(hers, project.name)).toBeVisible();
  await test.step("a member leaves a project", async () => {
    guard.allow(answered(404));
    await page.getByRole("button", { name: "Leave project" }).click();
    await dialog(page, "Leave this project?").getByRole("button", { name: "Leave project" }).click();
    await expect(railProject(page, project.name)).toHaveCount(0);
    await expect(page.getByRole("main").getByText("No project yet")).toBeVisible();
  });
});

test("a guest is offered nothing that guests may not do, and sees the project no more when taken out, even while reading it", async ({
  newPerson,
  pair: { ana, project },
  open,
  guard,
}) => {
  guard.allow(answered(404));
  const gus = await newPerson("Gus", "guest", [project.id]);
  const his = await open(gus, `/projects/${project.id}/members`);
  await expect(his.getByRole("heading", { name: "Members" })).toBeVisible();
  await expect(his.getByRole("main").getByRole("listitem").filter({ hasText: ana.name })).toBeVisible();
  await expect(rail(his).getByRole("button", { name: "Create" })).toHaveCount(0);
  await expect(his.getByRole("button", { name: "Add people" })).toHaveCount(0);
  await expect(his.getByRole("button", { name: /^Take / })).toHaveCount(0);
  await railProject(his, project.name).click();
  await expect(composer(his)).toBeVisible();
  const admin = await newPerson("Ada", "admin", [project.id]);
  const page = await open(admin, `/projects/${project.id}/members`);
  await expect(page.getByRole("button", { name: `Take out ${gus.name}` })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: `Take out ${gus.name}` }).click();
  await dialog(page, `Take ${gus.name} out of the project?`).getByRole("button", { name: "Take out" }).click();
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: gus.name })).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: ana.name })).toBeVisible();
  await expect(railProject(his, project.name)).toHaveCount(0);
  await expect(composer(his)).toHaveCount(0);
});
