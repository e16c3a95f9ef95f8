import { expect, test } from "../../fixtures/network.ts";
import { composer, dialog, rail, railProject } from "../../fixtures/pages.ts";
import { uniqueName } from "../../fixtures/test.ts";

test("a group and a project are created, only with a name, and only once when the first response fails", async ({
  organization: { owner },
  open,
  pageErrors,
  network,
}, info) => {
  const page = await open(owner, "/settings/profile");
  const group = uniqueName("Albums", info.testId);
  await rail(page).getByRole("button", { name: "Create" }).click();
  await page.getByRole("menuitem", { name: "New group" }).click();
  await dialog(page, "New group").getByRole("textbox", { name: "Name" }).fill(group);
  await page.getByRole("button", { name: "Create group" }).click();
  await expect(rail(page).getByRole("heading", { name: group })).toBeVisible();

  const project = uniqueName("Paper Boats", info.testId);
  await page.getByRole("button", { name: `New project in ${group}` }).click();
  const form = dialog(page, "New project");
  await expect(form.getByRole("button", { name: "Group" })).toHaveText(group);
  await form.getByRole("textbox", { name: "Name" }).fill(project);
  await page.getByRole("button", { name: "Create project" }).click();
  await expect(page.getByRole("heading", { level: 1, name: project })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await expect(page.getByRole("region", { name: group }).getByRole("link", { name: project })).toHaveAttribute("aria-current", "page");

  const create = async () => {
    await rail(page).getByRole("button", { name: "Create" }).click();
    await page.getByRole("menuitem", { name: "New project" }).click();
  };
  await test.step("a project without a name is not created, and the field shows why", async () => {
    await create();
    await page.getByRole("button", { name: "Create project" }).click();
    await expect(form.getByRole("textbox", { name: "Name" })).toHaveAttribute("aria-invalid", "true");
    await page.keyboard.press("Escape");
    await expect(form).toHaveCount(0);
  });

  await test.step("a project whose dialog was closed while it was being created leaves the next dialog and the page open", async () => {
    const name = uniqueName("Closed early", info.testId);
    const url = page.url();
    const paused = await network.pause(page, "**/v1/account/projects/create");
    await create();
    await form.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("button", { name: "Create project" }).click();
    await expect.poll(() => paused.urls.length).toBe(1);
    await page.keyboard.press("Escape");
    await expect(form).toHaveCount(0);
    await create();
    await form.getByRole("textbox", { name: "Name" }).fill("Next");
    const response = page.waitForResponse("**/v1/account/projects/create");
    await paused.end();
    await (await response).finished();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await expect(form.getByRole("textbox", { name: "Name" })).toHaveValue("Next");
    await expect(page).toHaveURL(url);
    await page.keyboard.press("Escape");
    await expect(railProject(page, name)).toHaveCount(1);
  });

  await test.step("a failed creation preserves the form, and the second attempt creates the project once", async () => {
    pageErrors.allow(/status of 500/);
    const name = uniqueName("Twice", info.testId);
    // The service creates the project, but the response is lost.
    const replacement = { status: 500, contentType: "application/problem+json", json: { object: "error", status: 500, title: "Internal error" } };
    await network.dropResponse(page, "**/v1/account/projects/create", { times: 1, replacement });
    await create();
    await form.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("button", { name: "Create project" }).click();
    await expect(form.getByRole("alert")).toBeVisible();
    await expect(form.getByRole("textbox", { name: "Name" })).toHaveValue(name);
    await page.getByRole("button", { name: "Create project" }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(railProject(page, name)).toHaveCount(1);
  });
});
