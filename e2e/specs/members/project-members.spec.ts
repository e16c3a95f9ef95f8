import { answered } from "../../fixtures/guard.ts";
import { composer, dialog, railProject } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("somebody is found and added, and sees the project by itself", async ({ newPerson, pair: { ana, project }, open }) => {
  const cleo = await newPerson("Cleo");
  const hers = await open(cleo, "/settings/profile");
  await expect(hers.getByRole("heading", { name: "Profile" })).toBeVisible();
  const page = await open(ana, `/projects/${project.id}/members`);
  await page.getByRole("button", { name: "Add people" }).first().click();
  await page.getByRole("searchbox", { name: "Search people" }).fill(cleo.name);
  await page.getByRole("button", { name: `Add ${cleo.name}` }).click();
  await expect(dialog(page, "Add people").getByText("Added", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: cleo.name })).toBeVisible();
  await expect(railProject(hers, project.name)).toBeVisible();
});

test("who is taken out sees the project no more, even while reading it", async ({ house: { owner }, pair: { ana, ben, project }, open, guard }) => {
  guard.allow(answered(404));
  const his = await open(ben, `/projects/${project.id}/chat`);
  await expect(composer(his)).toBeVisible();
  const page = await open(owner, `/projects/${project.id}/members`);
  await page.getByRole("button", { name: `Take out ${ben.name}` }).click();
  await dialog(page, `Take ${ben.name} out of the project?`).getByRole("button", { name: "Take out" }).click();
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: ben.name })).toHaveCount(0);
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: ana.name })).toBeVisible();
  await expect(railProject(his, project.name)).toHaveCount(0);
  await expect(composer(his)).toHaveCount(0);
});

test("a member leaves a project", async ({ pair: { ben, project }, open, guard }) => {
  guard.allow(answered(404));
  const page = await open(ben, `/projects/${project.id}/members`);
  await page.getByRole("button", { name: "Leave project" }).click();
  await dialog(page, "Leave this project?").getByRole("button", { name: "Leave project" }).click();
  await expect(railProject(page, project.name)).toHaveCount(0);
  await expect(page.getByRole("main").getByText("No project yet")).toBeVisible();
});
