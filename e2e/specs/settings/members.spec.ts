import { answered } from "../../fixtures/guard.ts";
import { composer, dialog, railProject } from "../../fixtures/pages.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { expect, test } from "../../fixtures/test.ts";

test("an owner changes a role, disables and enables somebody, and gives a link for a new password", async ({
  house: { owner },
  pair: { ana, project },
  open,
  guard,
}) => {
  const hers = await open(ana, "/settings/profile");
  const page = await open(owner, `/settings/members?person=${ana.id}`);
  const role = page.getByRole("combobox", { name: `Role of ${ana.name}` });
  const more = async (item: string) => {
    await page.getByRole("button", { name: `More for ${ana.name}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await test.step("a role is changed, and the person has it at once; nobody changes their own", async () => {
    await expect(page.getByRole("combobox", { name: `Role of ${owner.name}` })).toBeDisabled();
    await role.selectOption({ label: "Admin" });
    await expect(role).toHaveValue("admin");
    await expect(hers.getByRole("main")).toContainText("Sees every project, manages people.");
    await role.selectOption({ label: "Member" });
    await expect(hers.getByRole("main")).not.toContainText("Sees every project, manages people.");
  });

  await test.step("who is disabled is signed out at once and cannot come back until enabled", async () => {
    guard.allow(answered(401));
    guard.allow(answered(403));
    await railProject(hers, project.name).click();
    await expect(composer(hers)).toBeVisible();
    await more("Disable");
    await dialog(page, `Disable ${ana.name}?`).getByRole("button", { name: "Disable" }).click();
    await expect(page.getByRole("listitem").filter({ hasText: ana.name })).toContainText("Disabled");
    await expect(hers.getByText("You have been signed out")).toBeVisible();
    await hers.getByRole("textbox", { name: "E-mail or username" }).fill(ana.email);
    await hers.getByLabel("Password", { exact: true }).fill(ana.password);
    await hers.getByRole("button", { name: "Sign in" }).click();
    await expect(hers.getByRole("alert")).toBeVisible();
    await more("Enable");
    await expect(page.getByRole("listitem").filter({ hasText: ana.name })).not.toContainText("Disabled");
    await hers.getByRole("button", { name: "Sign in" }).click();
    await expect(composer(hers)).toBeVisible();
  });

  await test.step("a reset link lets somebody choose a new password, once", async () => {
    await more("Password-reset link");
    const link = await dialog(page, `Reset link for ${ana.name}`).getByRole("textbox", { name: "Reset link" }).inputValue();
    const forgetful = await open(null, link);
    await expect(forgetful.getByRole("button", { name: "Save and sign in" })).toBeVisible();
    await expectAccessible(forgetful);
    await forgetful.getByLabel("New password").fill("another long secret");
    await forgetful.getByRole("button", { name: "Save and sign in" }).click();
    await expect(forgetful.getByRole("navigation", { name: "Projects" })).toBeVisible();
    await expect(hers.getByText("You have been signed out")).toBeVisible();

    guard.allow(/status of 4\d\d/);
    await hers.goto(link);
    await hers.getByLabel("New password").fill("yet another secret");
    await hers.getByRole("button", { name: "Save and sign in" }).click();
    await expect(hers.getByRole("alert")).toBeVisible();
  });
});

test("a member sees the others but is offered no way to manage them", async ({ pair: { ana, ben }, open }) => {
  const page = await open(ana, "/settings/members");
  await expect(page.getByText(ben.email)).toBeVisible();
  await expect(page.getByRole("combobox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^(Invite|More for)/ })).toHaveCount(0);
});
