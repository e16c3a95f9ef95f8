import { signIn, write } from "../../fixtures/api.ts";
import { answered } from "../../fixtures/guard.ts";
import { message, rail } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a new name is seen by the others at once, as author and where it was mentioned before", async ({ pair: { ana, ben, project }, open }) => {
  await write(ana, project.id, "who am I");
  await write(ben, project.id, `ask <@${ana.id}> herself`);
  const his = await open(ben, `/projects/${project.id}/chat`);
  await expect(message(his, "who am I")).toContainText(ana.name);
  const page = await open(ana, "/settings/profile");
  await page.getByRole("textbox", { name: "Your name" }).fill(`${ana.name} Kovač`);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(rail(page)).toContainText(`${ana.name} Kovač`);
  await expect(message(his, "who am I")).toContainText(`${ana.name} Kovač`);
  await expect(message(his, `ask @${ana.name} Kovač herself`)).toBeVisible();
});

test("an address that is taken is told beside its field", async ({ pair: { ana, ben }, open, guard }) => {
  guard.allow(answered(409));
  const page = await open(ana, "/settings/profile");
  await page.getByRole("textbox", { name: "E-mail" }).fill(ben.email);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("textbox", { name: "E-mail" })).toHaveAttribute("aria-invalid", "true");
});

test("changing the password signs out the other browsers, and only the new one works", async ({ pair: { ana }, open, guard }) => {
  guard.allow(answered(401));
  guard.allow(answered(400));
  guard.allow(answered(403));
  const other = await open(await signIn(ana.url, ana.email), "/settings/profile");
  await expect(other.getByRole("heading", { name: "Profile" })).toBeVisible();
  const page = await open(ana, "/settings/profile");
  await page.getByLabel("Current password").fill("not the right one");
  await page.getByLabel("New password").fill("a much better secret");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("Current password")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Current password").fill(ana.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed.", { exact: false })).toBeVisible();
  await expect(other.getByText("You have been signed out")).toBeVisible();
  await expect(signIn(ana.url, ana.email)).rejects.toThrow(/401/);
  expect((await signIn(ana.url, ana.email, "a much better secret")).id).toBe(ana.id);
});
